"""The publication guard: whether an axis's item texts may leave the machine (contract-archive §5).

Laws kept here: item text, answers and transcripts are published only where every data set of the axis says
``publish_items`` and declares a licence that allows it; otherwise ids, digests and figures. A file that no data set
speaks for (a foreign log, an attachment) leaves only under a licence that its packer states. A declared no is never
overruled.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from benchproof.archive import SealedRun, axis_key_of
from benchproof.archive.names import TIMINGS, files_of_axis
from benchproof.proof.errors import ProofError
from benchproof.records.bench import DatasetFacts
from benchproof.records.proof import PublishedTexts

# SPDX identifiers whose terms allow passing the text on, for any purpose, with attribution at most.
OPEN_LICENSES = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC-BY-3.0",
        "CC-BY-4.0",
        "CC-BY-SA-3.0",
        "CC-BY-SA-4.0",
        "CC0-1.0",
        "ISC",
        "MIT",
        "ODC-By-1.0",
        "PDDL-1.0",
        "Unlicense",
    }
)


@dataclass(frozen=True, slots=True)
class PublicationDecision:
    """Whether texts may be published; ``reason`` is a clause that fits after "because"."""

    allowed: bool
    reason: str


def decide_publication(dataset: DatasetFacts) -> PublicationDecision:
    """Decide from what the data set declares; nothing declared is a no."""
    if not dataset.get("publish_items", False):
        return PublicationDecision(False, "the data set does not say publish_items: true")
    license_id = dataset.get("license", "unknown")
    if license_id not in OPEN_LICENSES:
        return PublicationDecision(False, f"its licence, {license_id}, is not one that is known to allow it")
    return PublicationDecision(True, f"its licence is {license_id} and it says publish_items: true")


@dataclass(frozen=True, slots=True)
class FileDecisions:
    """What of a run may leave: for each file that may not, why; and what the texts that may travel under."""

    left_out: dict[str, str]
    published: tuple[PublishedTexts, ...]


def check_statement(license_id: str) -> None:
    """Refuse a licence that does not allow passing texts on, with those that do."""
    if license_id not in OPEN_LICENSES:
        raise ProofError(
            "this licence is not one that is known to allow passing texts on",
            got=license_id,
            expected=f"one of {', '.join(sorted(OPEN_LICENSES))}",
            hint="Leave --items out: the proof then carries outcomes, likelihoods and digests",
        )


def decide_files(run: SealedRun, stated_license: str | None) -> FileDecisions:
    """Decide file by file; ``stated_license`` is what the packer states for what no data set speaks for."""
    left_out: dict[str, str] = {}
    published: list[PublishedTexts] = []
    declared = {TIMINGS}
    resolved = [axis for axis in run.manifest["axes"] if "resolved" in axis["protocol"]]
    for name in sorted({axis["axis"] for axis in resolved}):
        keys = [axis_key_of(axis) for axis in resolved if axis["axis"] == name]
        files = {path for key in keys for path in files_of_axis(key)}
        datasets = [run.axis(key)["dataset"] for key in keys]
        refusal = next((one for one in map(decide_publication, datasets) if not one.allowed), None)
        declared |= files
        if refusal is not None:
            left_out |= dict.fromkeys(files, refusal.reason)
        else:
            published += _name_terms(name, datasets)
    others = [entry["path"] for entry in run.manifest["files"] if entry["path"] not in declared]
    if others and stated_license is not None:
        published.append({"of": "what no data set speaks for", "license": stated_license, "by": "packer"})
    elif others:
        left_out |= dict.fromkeys(others, "no data set declares a licence for it, and its packer stated none")
    return FileDecisions(left_out, tuple(published))


def _name_terms(axis: str, datasets: Iterable[DatasetFacts]) -> list[PublishedTexts]:
    """Licence, canary and attribution of each data set of an axis, each once."""
    terms: list[PublishedTexts] = []
    for dataset in datasets:
        one: PublishedTexts = {"of": axis, "license": dataset["license"], "by": "data set"}
        if "canary" in dataset:
            one["canary"] = dataset["canary"]
        if "attribution" in dataset:
            one["attribution"] = dataset["attribution"]
        if one not in terms:
            terms.append(one)
    return terms
