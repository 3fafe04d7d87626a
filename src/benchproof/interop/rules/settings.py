"""What a log does not say of its settings, and what it says of how much was asked."""

from collections.abc import Iterator

from benchproof.records.run import AxisOfRun, RunManifest
from benchproof.rulebook import Finding, Severity

_ASKED_FOR = {
    "model.revision": "which revision of the model answered",
    "model.variant": "whether a base or an instruct model answered",
    "chat_template": "whether a chat template was applied",
}


def i006_limited(place: str, stated: AxisOfRun) -> Iterator[Finding]:
    """Under a limit, only a beginning of the data was asked: the number is of a part."""
    selection = stated["items"]["selection"]
    kind, _, count = selection.partition("@")
    if kind in ("first", "sample"):
        yield Finding(
            place,
            "I006",
            f"the run was limited to {'the first ' if kind == 'first' else ''}{count.partition('/')[0]} items",
            hint="A number of a part stands beside no number of the whole.",
            severity=Severity.WARNING,
        )


def i007_fewer_items(place: str, stated: AxisOfRun) -> Iterator[Finding]:
    """The log has fewer items than it says were asked: what is computed from it is of those it has."""
    recorded, planned = sum(stated["counts"].values()), stated["items"]["planned"]
    if recorded < planned:
        yield Finding(
            place,
            "I007",
            "the log has fewer items than it says were asked, so its own number cannot be computed from it",
            got=f"{recorded:,} items",
            expected=f"{planned:,}",
            severity=Severity.WARNING,
        )


def i018_setting_unknown(place: str, manifest: RunManifest) -> Iterator[Finding]:
    """What decides comparability and is not in the log stays unknown, and is said once a run."""
    facts: dict[str, object] = {
        "model.revision": manifest["model"]["revision"],
        "model.variant": manifest["model"]["variant"],
        "chat_template": manifest["model"]["chat_template"],
    }
    settings = [axis["setting"] for axis in manifest["axes"]]
    if settings and all("chat_template" in setting for setting in settings):
        facts["chat_template"] = "stated"
    unknown = [_ASKED_FOR[name] for name, value in facts.items() if value == "unknown"]
    if unknown:
        yield Finding(
            place,
            "I018",
            "the log does not say " + ", nor ".join(unknown),
            hint="These stay unknown: its numbers are ranked beside none.",
            severity=Severity.NOTE,
        )
