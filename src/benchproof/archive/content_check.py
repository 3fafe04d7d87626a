"""Recompute a sealed run from its own bytes: axes, items, prompts, and every record from its raw line.

Raw lines and records are read side by side, a line at a time; items are reached through an index of offsets.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple, cast

from benchproof.archive.closing import is_cut
from benchproof.archive.errors import ImpossibleLogprobError, RecordingError, RenderingError
from benchproof.archive.item_file import ItemFile
from benchproof.archive.names import axis_path, items_path, raw_path, records_path
from benchproof.archive.recorded import RecordedItems
from benchproof.archive.recording import make_exclusion, make_record_of
from benchproof.archive.rendering import render_prompt
from benchproof.archive.rules.axes import (
    a030_resolved_axis,
    a031_axis_digest,
    a032_axis_facts,
    a033_item_line,
    a034_item_of_axis,
    a035_planned_items,
    a047_template,
)
from benchproof.archive.rules.lines import (
    a036_raw_line,
    a037_record_line,
    a038_raw_of_record,
    a039_prompt,
    a040_choice_record,
    a041_other_record,
    a042_one_record_an_item,
    a043_counts,
    a050_raw_of_item,
    a051_logprob_above_zero,
)
from benchproof.archive.schemas import has_shape
from benchproof.archive.walking import Folder, opened_beneath, read_beneath
from benchproof.canon import CanonError, StrictJsonError, canonical, parse, parse_line, sha256_hex, split_lines
from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import AxisOfRun, ItemRecord, RawLine
from benchproof.rulebook import Finding


class ContentCheck(NamedTuple):
    """What recomputing an axis found, and how many records followed from what they stand on."""

    findings: list[Finding]
    recomputed: int


class _Row(NamedTuple):
    """A line that can be judged further: parsed and of its shape."""

    place: str
    item_id: str
    line: bytes
    value: dict[str, Any]


def check_axis_contents(folder: Folder, place: str, axis_key: str, stated: AxisOfRun) -> ContentCheck:
    """Recompute one axis of a run whose four files can be read."""
    check = _AxisCheck(folder, place, axis_key, stated)
    check.run()
    return ContentCheck(check.findings, check.recomputed)


class _AxisCheck:
    def __init__(self, folder: Folder, place: str, axis_key: str, stated: AxisOfRun) -> None:
        self._folder = folder
        self._place = place
        self._key = axis_key
        self._stated = stated
        self._recorded = RecordedItems()
        self.findings: list[Finding] = []
        self.recomputed = 0

    def run(self) -> None:
        axis = self._check_axis()
        if axis is None:
            return
        with self._opened(items_path(self._key)) as stream:
            items = self._check_items(axis, stream)
            self.findings += a035_planned_items(self._where(items_path(self._key)), self._stated, items.ids)
            self._check_records(axis, items)
            self._check_coverage(items)

    def _check_axis(self) -> ResolvedAxis | None:
        where = self._where(axis_path(self._key))
        data = read_beneath(self._folder, axis_path(self._key), where)
        self.findings += a031_axis_digest(where, data, self._stated)
        shape = list(a030_resolved_axis(where, data))
        self.findings += shape
        if shape:
            return None
        axis = cast("ResolvedAxis", parse(data))
        self.findings += a032_axis_facts(where, axis, self._stated)
        template = list(a047_template(where, axis, None))
        self.findings += template
        return None if template else axis

    def _check_items(self, axis: ResolvedAxis, stream: BinaryIO) -> ItemFile:
        path = items_path(self._key)
        items = ItemFile(stream, self._where(path))
        for number, offset, line, item in read_lines(stream):
            where = self._where(path, number)
            self.findings += a033_item_line(where, line, item)
            if isinstance(item, CanonError) or not has_shape("compiled-item", item):
                continue
            is_new = items.add(item, offset, len(line))
            self.findings += a034_item_of_axis(where, axis, item, is_new=is_new)
            self.findings += a047_template(where, axis, item)
        return items

    def _check_records(self, axis: ResolvedAxis, items: ItemFile) -> None:
        with self._opened(raw_path(self._key)) as raw_stream, self._opened(records_path(self._key)) as stream:
            raws = self._raw_rows(raw_stream)
            raw = next(raws, None)
            for record in self._record_rows(stream):
                while raw is not None and raw.item_id < record.item_id:
                    self.findings += a038_raw_of_record(raw.place, None, None)
                    raw = next(raws, None)
                if raw is not None and raw.item_id == record.item_id:
                    self._check_pair(axis, items, record, raw)
                    raw = next(raws, None)
                else:
                    self._check_pair(axis, items, record, None)
            while raw is not None:
                self.findings += a038_raw_of_record(raw.place, None, None)
                raw = next(raws, None)

    def _raw_rows(self, stream: BinaryIO) -> Iterator[_Row]:
        before: str | None = None
        for number, _offset, line, value in read_lines(stream):
            where = self._where(raw_path(self._key), number)
            self.findings += a036_raw_line(where, line, value, before=before)
            if not isinstance(value, CanonError) and has_shape("raw-line", value):
                before = value["item_id"]
                yield _Row(f"{where} ({before})", value["item_id"], line, value)

    def _record_rows(self, stream: BinaryIO) -> Iterator[_Row]:
        before: str | None = None
        for number, _offset, line, value in read_lines(stream):
            where = self._where(records_path(self._key), number)
            self.findings += a037_record_line(where, line, value, before=before)
            if not isinstance(value, CanonError) and has_shape("item-record", value):
                before = value["item_id"]
                yield _Row(f"{where} ({before})", value["item_id"], line, value)

    def _check_pair(self, axis: ResolvedAxis, items: ItemFile, record: _Row, raw: _Row | None) -> None:
        self._recorded.record(record.item_id, record.value["outcome"])
        if record.item_id not in items:
            self.findings += a042_one_record_an_item(
                record.place, None, is_recorded=True, is_cut_axis=is_cut(self._stated), got=record.item_id
            )
            return
        raw_sha256 = sha256_hex(raw.line) if raw else None
        found = list(a038_raw_of_record(record.place, record.value, raw_sha256))
        if not found:
            found += self._recompute(axis, items, record, raw)
        self.findings += found
        self.recomputed += not found

    def _recompute(self, axis: ResolvedAxis, items: ItemFile, record: _Row, raw: _Row | None) -> Iterator[Finding]:
        item = items.find(record.item_id)
        if raw is None or record.item_id in items.excluded:
            reason = items.excluded.get(record.item_id, record.value.get("reason", ""))
            yield from _compare(record, make_exclusion(item, reason))
            return
        try:
            prompts = list(a039_prompt(raw.place, _asked(raw.value), _digest_text(render_prompt(axis, item))))
        except RenderingError:
            return  # A047 names it
        yield from prompts
        if not prompts:
            try:
                raw_sha256 = sha256_hex(raw.line)
                expected = make_record_of(axis, item, cast("RawLine", raw.value), raw_sha256=raw_sha256)
            except ImpossibleLogprobError as error:
                yield from a051_logprob_above_zero(raw.place, error)
            except RecordingError as error:
                yield from a050_raw_of_item(raw.place, error)
            else:
                yield from _compare(record, expected)

    def _check_coverage(self, items: ItemFile) -> None:
        where = self._where(records_path(self._key))
        for item_id in items.ids:
            if item_id not in self._recorded:
                self.findings += a042_one_record_an_item(
                    where, items.find(item_id), is_recorded=False, is_cut_axis=is_cut(self._stated), got=item_id
                )
        self.findings += a043_counts(f"{self._place}/manifest.json ({self._key})", self._stated, self._recorded)

    def _opened(self, path: str) -> AbstractContextManager[BinaryIO]:
        return opened_beneath(self._folder, path, self._where(path))

    def _where(self, path: str, number: int | None = None) -> str:
        return f"{self._place}/{path}" if number is None else f"{self._place}/{path}:{number}"


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, int, bytes, Any]]:
    """Number, offset, bytes and value of each line, or the error that says why it has no value.

    A line that is longer than the archive's longest is the last: what comes after it is not read.
    """
    number, offset = 0, 0
    try:
        for number, offset, line in split_lines(stream):
            yield number, offset, line, _parse(line, number, offset)
    except StrictJsonError as error:
        yield number + 1, offset, b"", error


def _parse(line: bytes, number: int, offset: int) -> Any:
    """The line's value, or the error that says why it has none."""
    try:
        return parse_line(line, number=number, offset=offset)
    except CanonError as error:
        return error


def _asked(raw: dict[str, Any]) -> str:
    return _digest_text(raw["prompt"]) if "prompt" in raw else str(raw["prompt_sha256"])


def _digest_text(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()


def _compare(record: _Row, expected: ItemRecord) -> Iterator[Finding]:
    if canonical(expected) == record.line:
        return
    prompt = dict(expected).get("prompt")
    yield from a039_prompt(record.place, record.value.get("prompt"), cast("str | None", prompt))
    yield from a040_choice_record(record.place, record.value, expected)
    yield from a041_other_record(record.place, record.value, expected)
