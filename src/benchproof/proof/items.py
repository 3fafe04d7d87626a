"""From an item's lines in a sealed run to its trace, recomputing each step on the way.

Laws kept here: nothing is taken from a record that does not follow from axis, item and raw line; a line that is
missing or does not follow is a fault with its place, never a gap that is passed over. Files are streamed to their end,
so that their digests are compared with the manifest.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from benchproof.archive import Line, SealedRun
from benchproof.proof.errors import UnknownItemError
from benchproof.proof.imported_trace import ImportedItemTrace, trace_imported_item
from benchproof.proof.trace import ItemTrace, Spot
from benchproof.proof.tracing import ItemLines, LineOf, trace_lines

if TYPE_CHECKING:
    from benchproof.records.bench import CompiledItem


class _Keyed(NamedTuple):
    item_id: str
    line: LineOf


def trace_items(run: SealedRun, axis_key: str) -> Iterator[ItemTrace]:
    """Every item of one axis by id; memory grows with the ids of an axis, not with its texts.

    Raises the archive's errors where a file is not what was sealed, at the latest after the last item.
    """
    axis = run.axis(axis_key)
    for lines in join_lines(run, axis_key):
        yield trace_lines(f"runs/{run.id}", axis_key, axis, lines, partial=run.manifest["partial"])


def find_item(run: SealedRun, item_id: str) -> ItemTrace | ImportedItemTrace:
    """The trace of an item by its id alone: of the first axis that has it; ``UnknownItemError`` names the nearest."""
    for axis_key in run.axis_keys:
        if run.is_imported(axis_key):
            if _is_imported_item(run, axis_key, item_id):
                return trace_imported_item(run, axis_key, item_id)
        elif (lines := _find_lines(run, axis_key, item_id)) is not None:
            return _trace(run, axis_key, lines)
    ids = sorted({each for axis_key in run.axis_keys for each in _list_ids(run, axis_key)})
    raise UnknownItemError("the run has no such item", place=run.id, got=item_id, expected=_name_nearest(item_id, ids))


def trace_item(run: SealedRun, axis_key: str, item_id: str) -> ItemTrace:
    """One item's trace; ``UnknownItemError`` names the nearest ids where the axis has no such item.

    All three files are read to their end and compared, so that a trace is only given from bytes that were sealed; of
    their lines only the item's are taken apart.
    """
    run.axis(axis_key)
    lines = _find_lines(run, axis_key, item_id)
    if lines is None:
        raise UnknownItemError(
            "the run has no such item on this axis",
            place=f"{run.id} {axis_key}",
            got=item_id,
            expected=_name_nearest(item_id, _list_ids(run, axis_key)),
        )
    return _trace(run, axis_key, lines)


def _is_imported_item(run: SealedRun, axis_key: str, item_id: str) -> bool:
    """Whether an imported axis has an item of that id, or one that its harness calls so."""
    records = (record for _, record in run.records(axis_key))
    return any(item_id in (record["item_id"], *record["aliases"].values()) for record in records)


def _list_ids(run: SealedRun, axis_key: str) -> list[str]:
    if run.is_imported(axis_key):
        return [record["item_id"] for _, record in run.records(axis_key)]
    return [item["item_id"] for item in run.items(axis_key)]


def _trace(run: SealedRun, axis_key: str, lines: ItemLines) -> ItemTrace:
    return trace_lines(f"runs/{run.id}", axis_key, run.axis(axis_key), lines, partial=run.manifest["partial"])


def _find_lines(run: SealedRun, axis_key: str, item_id: str) -> ItemLines | None:
    """All that a run holds of one item; ``None`` where it is none of the axis's items."""
    found = run.find_line("item", axis_key, item_id)
    if found is None:
        return None
    line, item = found
    record, raw = run.find_line("record", axis_key, item_id), run.find_line("raw", axis_key, item_id)
    return ItemLines(
        line.number,
        cast("CompiledItem", item),
        None if record is None else _place_line(f"records/{axis_key}.ndjson", *record),
        None if raw is None else _place_line(f"raw/{axis_key}.ndjson", *raw),
    )


def _place_line(path: str, line: Line, value: dict[str, Any]) -> LineOf:
    return LineOf(Spot(path, line.number, line.offset, line.length, line.sha256), value)


def _name_nearest(item_id: str, ids: list[str]) -> str:
    if not ids:
        return "nothing: the axis has no items"
    tail = item_id.rpartition("/")[2]
    nearest = [one for one in ids if one.rpartition("/")[2] == tail] or get_close_matches(item_id, ids, 3, 0.5)
    return f"an item such as {' or '.join(nearest[:3] or ids[:3])}"


def join_lines(run: SealedRun, axis_key: str) -> Iterator[ItemLines]:
    """Items by id, each with its record and raw line, which are sorted so; a file that is not gives gaps."""
    records = _Follower(run.records(axis_key), f"records/{axis_key}.ndjson")
    raws = _Follower(run.raw_lines(axis_key), f"raw/{axis_key}.ndjson")
    with run.opened_items(axis_key) as items:
        for number in items.ids.sort_numbers():
            item_id = items.ids.text_of(number)
            yield ItemLines(number + 1, items.find(item_id), records.take(item_id), raws.take(item_id))
    records.finish()
    raws.finish()


class _Follower:
    """Reads lines in step with the items: gives the line of an id, if it comes next."""

    def __init__(self, lines: Iterator[tuple[Line, dict[str, Any]]], path: str) -> None:
        self._lines = lines
        self._path = path
        self._next = self._read()

    def take(self, item_id: str) -> LineOf | None:
        """The line of ``item_id``, passing over lines that come before it."""
        while self._next is not None and self._next.item_id < item_id:
            self._next = self._read()
        if self._next is None or self._next.item_id != item_id:
            return None
        taken = self._next.line
        self._next = self._read()
        return taken

    def finish(self) -> None:
        """Read to the end, so that the digest is compared."""
        while self._next is not None:
            self._next = self._read()

    def _read(self) -> _Keyed | None:
        pair = next(self._lines, None)
        if pair is None:
            return None
        line, value = pair
        return _Keyed(str(value.get("item_id")), _place_line(self._path, line, value))
