"""Rules about raw lines and records: each record follows from axis, item and raw line (contract-archive §7)."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchproof.archive.closing import close_axis, is_cut
from benchproof.archive.errors import ImpossibleLogprobError, RecordingError
from benchproof.archive.recorded import RecordedItems
from benchproof.archive.schemas import find_misfits
from benchproof.canon import CanonError, canonical
from benchproof.records.bench import CompiledItem
from benchproof.records.run import AxisOfRun, ItemRecord
from benchproof.rulebook import Finding

_LINK = "raw_sha256"
_PROMPT = "prompt"


def a036_raw_line(place: str, line: bytes, raw: object, *, before: str | None) -> Iterator[Finding]:
    """A raw line is canonical JSON of its shape, after the line of every smaller item id.

    A line that could not be parsed comes as its error.
    """
    yield from _line("A036", "raw-line", "a raw line", place, line, raw, before)


def a037_record_line(place: str, line: bytes, record: object, *, before: str | None) -> Iterator[Finding]:
    """A record is canonical JSON of its shape, after the line of every smaller item id.

    A line that could not be parsed comes as its error.
    """
    yield from _line("A037", "item-record", "an item record", place, line, record, before)


def a038_raw_of_record(place: str, record: Mapping[str, Any] | None, raw_sha256: str | None) -> Iterator[Finding]:
    """A record names the digest of its raw line; only an excluded item has none; every raw line has a record."""
    if record is None:
        yield Finding(place, "A038", "the raw line has no record")
        return
    stated = record.get(_LINK)
    if stated == raw_sha256 and (stated is not None or record.get("outcome") == "excluded"):
        return
    yield Finding(
        place,
        "A038",
        "the record's raw line is another or missing",
        got=str(stated or "no digest"),
        expected=raw_sha256 or ("no digest: there is no raw line" if stated else "the digest of a raw line"),
    )


def a039_prompt(place: str, got: str | None, expected: str | None) -> Iterator[Finding]:
    """What was asked is what axis and item render to. Texts or their SHA-256."""
    if got != expected:
        yield Finding(
            place, "A039", "the prompt is not what axis and item render to", got=_short(got), expected=_short(expected)
        )


def a040_choice_record(place: str, record: Mapping[str, Any], expected: ItemRecord) -> Iterator[Finding]:
    """A choice record is what axis, item and raw line give, to the last bit."""
    if "candidates" in expected:
        yield from _difference("A040", place, record, expected)


def a041_other_record(place: str, record: Mapping[str, Any], expected: ItemRecord) -> Iterator[Finding]:
    """The record of an answer, a failure or an exclusion is what item and raw line give."""
    if "candidates" not in expected:
        yield from _difference("A041", place, record, expected)


def a042_one_record_an_item(
    place: str, item: CompiledItem | None, *, is_recorded: bool, is_cut_axis: bool, got: str | None = None
) -> Iterator[Finding]:
    """Every item has exactly one record, or the run says that it was cut; no record is of an unknown item."""
    if item is None:
        yield Finding(place, "A042", "the run has no such item", got=got)
    elif not is_recorded and (item["excluded"] or not is_cut_axis):
        yield Finding(place, "A042", "the item has no record, and the run does not say that it was cut", got=got)


def a043_counts(place: str, stated: AxisOfRun, recorded: RecordedItems) -> Iterator[Finding]:
    """Counts, selection and the setting's ``items`` are those of the records."""
    closed = close_axis({**stated, "counts": {}}, recorded)
    if stated["counts"] != closed["counts"]:
        yield Finding(
            place,
            "A043",
            "the counts are not those of the records",
            got=repr(stated["counts"]),
            expected=repr(closed["counts"]),
        )
    cut = len(recorded) < stated["items"]["planned"]
    if cut != is_cut(stated):
        yield Finding(
            place,
            "A043",
            "the selection does not say whether the run was cut",
            got=stated["items"]["selection"],
            expected="cut" if cut else "what was planned",
        )
    elif cut and (stated["items"], stated["setting"]) != (closed["items"], closed["setting"]):
        yield Finding(
            place,
            "A043",
            "the cut is not that of the records",
            got=str(stated["setting"].get("items")),
            expected=str(closed["setting"]["items"]),
        )


def a050_raw_of_item(place: str, error: RecordingError) -> Iterator[Finding]:
    """A raw line fits its axis and item: the kind of call, the candidates, a log-probability for each token."""
    yield Finding(place, "A050", error.what, got=error.got, expected=error.expected)


def a053_imported_record(place: str, line: bytes, record: object, *, before: str | None) -> Iterator[Finding]:
    """A record of an imported axis is canonical JSON of its shape, after the line of every smaller item id.

    A line that could not be parsed comes as its error.
    """
    yield from _line("A053", "imported-record", "an imported record", place, line, record, before)


def a051_logprob_above_zero(place: str, error: ImpossibleLogprobError) -> Iterator[Finding]:
    """No token is more probable than 1: its log-probability is at most 0, but for rounding."""
    yield Finding(place, "A051", error.what, got=error.got, expected=error.expected)


def _line(
    code: str, schema: str, name: str, place: str, line: bytes, value: object, before: str | None
) -> Iterator[Finding]:
    if isinstance(value, CanonError):
        yield Finding(place, code, f"not JSON: {value.what}", got=value.got or value.place, expected=value.expected)
        return
    if canonical(value) != line:
        yield Finding(place, code, "not canonical JSON", got=line[:120].decode("utf-8", "replace"))
    misfits = find_misfits(schema, value)
    for misfit in misfits:
        yield Finding(f"{place} {misfit.pointer or '/'}", code, f"not {name}: {misfit.what}")
    if not misfits and isinstance(value, dict) and before is not None and value["item_id"] <= before:
        yield Finding(
            place, code, "the lines are not by item id, each once", got=value["item_id"], expected=f"> {before}"
        )


def _difference(code: str, place: str, record: Mapping[str, Any], expected: ItemRecord) -> Iterator[Finding]:
    right: Mapping[str, Any] = dict(expected)
    for key in sorted(right.keys() | record.keys()):
        if key in (_LINK, _PROMPT) or record.get(key) == right.get(key):
            continue
        yield Finding(
            place,
            code,
            f"{key} does not follow from axis, item and raw line",
            got=_short(repr(record.get(key))),
            expected=_short(repr(right.get(key))),
        )


def _short(text: str | None, limit: int = 160) -> str | None:
    return text if text is None or len(text) <= limit else f"{text[:limit]}…"
