"""An open run: answers go in one by one, and none is lost when the process dies (contract-archive §7).

On disk: ``.staging/run-<id>/`` with opening.json, axes/, items/, attachments/ and the journal.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from benchproof.archive.errors import OpenRunError, RecordingError
from benchproof.archive.filesystem import Disk, storage_errors
from benchproof.archive.item_file import ItemFile
from benchproof.archive.journal import EntryHead, Journal
from benchproof.archive.layout import STAGING
from benchproof.archive.locks import HeldLock
from benchproof.archive.names import axis_key_of
from benchproof.archive.recorded import EntryKey
from benchproof.archive.recording import make_exclusion, make_record_of
from benchproof.archive.schemas import check_raw_line
from benchproof.archive.walking import walk_beneath
from benchproof.canon import MAX_LINE_BYTES, canonical, casefold_clashes, check_relative_path, sha256_hex
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import ItemRecord, RawLine, RunOpening
from benchproof.rulebook import Finding

JOURNAL = "journal"
OPENING = "opening.json"
_RESERVED = ("axes", "items", "timings.ndjson")


def remove_open_run(root: Path, run_id: str, disk: Disk) -> None:
    """Remove an open run's folder in one step for whoever looks, then its files. The caller holds the run's lock."""
    with storage_errors(f"{root}/{STAGING}/run-{run_id}"):
        parent = disk.open_folder(str(root / STAGING))
        try:
            gone = f"gone-{os.urandom(16).hex()}"
            disk.rename_new(f"run-{run_id}", parent, gone, parent)
            disk.sync(parent)
            with suppress(FileNotFoundError):  # a sweep may have removed it meanwhile
                disk.remove_tree(gone, parent)
        finally:
            disk.close_folder(parent)


class OpenRun:
    """One run that answers are recorded in. Made by ``open_run`` and ``resume_run``; holds the run's own lock."""

    def __init__(
        self,
        root: Path,
        opening: RunOpening,
        *,
        axes: Mapping[str, ResolvedAxis],
        items: Mapping[str, ItemFile],
        journal: Journal,
        folder: int,
        lock: HeldLock,
        disk: Disk,
        findings: tuple[Finding, ...],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.root = root
        self.opening = opening
        self.id = opening["id"]
        self.path = root / STAGING / f"run-{self.id}"
        self.axes = axes
        self.disk = disk
        self.folder = folder
        self.journal = journal
        self.findings = findings
        self._items = items
        self._lock = lock
        self._monotonic = monotonic
        self._is_open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def axis_keys(self) -> tuple[str, ...]:
        """Axis keys in the order of the opening."""
        return tuple(axis_key_of(axis) for axis in self.opening["axes"])

    def items(self, axis_key: str) -> Iterator[CompiledItem]:
        """The items of an axis in the order in which they were compiled."""
        return iter(self._items_of(axis_key))

    def item_ids(self, axis_key: str) -> Iterator[str]:
        """The ids of an axis's items in the order in which they were compiled."""
        return iter(self._items_of(axis_key).ids)

    def done(self) -> Set[EntryKey]:
        """(axis key, item id) of everything that has its record, now and whenever it is looked at."""
        return self.journal.entries

    def record(self, axis_key: str, raw: RawLine, *, timing: Mapping[str, float] | None = None) -> ItemRecord:
        """Derive the item's record from its raw line and journal both; timings stay out of the evidence."""
        item = self._unrecorded_item(axis_key, raw["item_id"])
        check_raw_line(raw, place=f"{axis_key}: {raw['item_id']}")
        raw_bytes = canonical(raw)
        record = make_record_of(self.axes[axis_key], item, raw, raw_sha256=sha256_hex(raw_bytes))
        self._append(axis_key, record, raw_bytes, timing)
        return record

    def exclude(self, axis_key: str, item_id: str, reason: str) -> ItemRecord:
        """Record that an item is not asked, and why."""
        record = make_exclusion(self._unrecorded_item(axis_key, item_id), reason)
        self._append(axis_key, record, b"", None)
        return record

    def attach(self, path: str, data: bytes) -> None:
        """Add a supporting file ``attachments/<path>``; the same bytes again change nothing.

        A name of ours is refused, and one that is another's where letter case is ignored: no such run verifies.
        """
        self.require_open()
        check_relative_path(path)
        place = f"{self.path}/attachments/{path}"
        if path.split("/", maxsplit=1)[0].casefold() in _RESERVED:
            raise OpenRunError("that name is benchproof's own", place=place, hint="Choose another name")
        there = [entry.path for entry in walk_beneath(self.folder, str(self.path)) if entry.kind == "file"]
        clashes = casefold_clashes({*there, f"attachments/{path}"})
        if clashes:
            raise OpenRunError(
                "another file has that name where letter case is ignored",
                place=place,
                got=" and ".join(clashes[0]),
                hint="Choose another name",
            )
        target = self.path / "attachments" / path
        with storage_errors(place):
            if target.exists():
                if target.read_bytes() != data:
                    raise OpenRunError("other bytes are attached under that name", place=place)
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            self._write_attachment(target, data)

    def close(self) -> None:
        """Leave the run open on disk, to be resumed; a second call does nothing."""
        if self._is_open:
            self._is_open = False
            try:
                self.journal.close()
            finally:
                for items in self._items.values():
                    items.close()
                self.disk.close_folder(self.folder)
                self._lock.release()

    def discard(self) -> None:
        """Remove the open run and all that it recorded."""
        self.require_open()
        self.remove()
        self.close()

    def remove(self) -> None:
        """Remove what is on disk, and leave this object to be closed."""
        remove_open_run(self.root, self.id, self.disk)

    def require_open(self) -> None:
        """Refuse where the run is closed."""
        if not self._is_open:
            raise OpenRunError("the run is closed", place=self.id, hint="Resume it first")

    def _append(self, axis_key: str, record: ItemRecord, raw: bytes, timing: Mapping[str, float] | None) -> None:
        head: EntryHead = {"axis_key": axis_key, "item_id": record["item_id"], "outcome": record["outcome"]}
        if timing:
            head["timing"] = dict(timing)
        written = canonical(record)
        if (longest := max(len(raw), len(written))) > MAX_LINE_BYTES:
            raise RecordingError(
                "an answer is longer than a line of the archive can be",
                place=f"{axis_key}: {record['item_id']}",
                got=f"{longest:,} bytes",
                expected=f"at most {MAX_LINE_BYTES:,}",
            )
        self.journal.append(head, raw, written, now=self._monotonic())

    def _unrecorded_item(self, axis_key: str, item_id: str) -> CompiledItem:
        self.require_open()
        items = self._items_of(axis_key)
        if item_id not in items:
            raise RecordingError("the run planned no such item", place=axis_key, got=repr(item_id))
        if (axis_key, item_id) in self.journal.entries:
            raise RecordingError("the item is recorded already", place=f"{axis_key}: {item_id}")
        return items.find(item_id)

    def _items_of(self, axis_key: str) -> ItemFile:
        if axis_key not in self._items:
            raise RecordingError(
                "the run has no such axis", place=self.id, got=repr(axis_key), expected=", ".join(self.axis_keys)
            )
        return self._items[axis_key]

    def _write_attachment(self, target: Path, data: bytes) -> None:
        folder = self.disk.open_folder(str(target.parent))
        unfinished = f".unfinished-{target.name}"
        try:
            if (target.parent / unfinished).exists():
                self.disk.remove_tree(unfinished, folder)
            file = self.disk.create(unfinished, folder)
            try:
                self.disk.write(file, data)
                self.disk.sync(file)
            finally:
                self.disk.close(file)
            self.disk.rename_new(unfinished, folder, target.name, folder)
            self.disk.sync(folder)
        finally:
            self.disk.close_folder(folder)
