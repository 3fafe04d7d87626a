"""Take in a run of another harness: keep its bytes, then the axes and records that a reader makes of the kept bytes.

    opened ──keep──► keeping ──add_axis──► … ──seal──► published
       └───────────────any failure────────────► nothing was written

Laws kept (contract-archive §4 and §7; contract-proof, import): the log's bytes stand unchanged below ``raw/``; what
is read is what was kept, so that a log that changes meanwhile cannot differ from its records; records are ordered by
item; the manifest is written last and published in one step.
"""

import tempfile
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, BinaryIO, Self, cast

from benchproof.archive.closing import close_manifest
from benchproof.archive.errors import ArchiveError, OpenRunError
from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.layout import STAGING, check_store
from benchproof.archive.names import IMPORTED, axis_key_of, axis_path, digest_item_ids, records_path
from benchproof.archive.publishing import Staging
from benchproof.archive.recorded import RecordedItems
from benchproof.archive.run_opening import refuse_sealed
from benchproof.archive.schemas import find_misfits
from benchproof.archive.sealing import SealedRef, publish_run
from benchproof.canon import canonical, check_id, sha256_hex
from benchproof.records.imported import ImportedAxis, ImportedRecord
from benchproof.records.run import AxisOfRun, FileEntry, RunOpening

_BLOCK = 1 << 20


class Intake:
    """One imported run on its way into the archive; left before ``seal``, it leaves nothing behind."""

    def __init__(self, root: Path, *, disk: Disk = DISK) -> None:
        check_store(root)
        self._root = root
        self._staging = Staging(root, disk)
        self._axes: list[AxisOfRun] = []
        self._recorded: dict[str, RecordedItems] = {}

    def __enter__(self) -> Self:
        self._staging.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._staging.__exit__(kind, error, traceback)

    @property
    def kept(self) -> list[FileEntry]:
        """The log's files as kept, by path."""
        return [entry for entry in self._staging.files if entry["path"].startswith("raw/")]

    def keep(self, name: str, source: BinaryIO) -> FileEntry:
        """Keep one file of the log, unchanged, as ``raw/<name>``."""
        return self._staging.write(f"raw/{name}", _blocks(source))

    @contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """A kept file by its path below the run."""
        with self._staging.opened(path) as stream:
            yield stream

    def attach(self, path: str, data: bytes) -> None:
        """Write one file below ``attachments/``."""
        self._staging.write(f"attachments/{path}", [data])

    def add_axis(self, axis: ImportedAxis, stated: AxisOfRun, records: Iterable[ImportedRecord]) -> None:
        """Write the records of an axis, which may come in any order, then the axis.

        The axis is read when the last record has come, so that a reader may complete it on the way; an axis with more
        records than it says were planned has planned those. ``stated`` is what the manifest will say of it; its
        ``protocol``, ``items`` and ``counts`` are filled in here.
        """
        axis_key = axis_key_of(stated)
        if axis_key in self._recorded:
            raise OpenRunError("an imported axis stands twice", place=axis_key)
        recorded = RecordedItems()
        with storage_errors(str(self._root / STAGING)), tempfile.TemporaryFile(dir=self._root / STAGING) as spool:
            offsets = _spool_records(spool, records, axis_key, recorded)
            self._staging.write(records_path(axis_key), _sorted_lines(spool, offsets, recorded))
        axis["planned"] = max(axis["planned"], len(recorded))
        _require_shape("imported-axis", axis, axis_key)
        data = canonical(axis)
        self._staging.write(axis_path(axis_key), [data])
        selection = stated["items"]["selection"]
        items = {"planned": axis["planned"], "selection": selection, "digest": digest_item_ids(recorded.ids)}
        protocol = {IMPORTED: sha256_hex(data)}
        self._recorded[axis_key] = recorded
        self._axes.append(cast("AxisOfRun", {**stated, "protocol": protocol, "items": items, "counts": {}}))

    def seal(self, opening: RunOpening, *, sealed_at: str) -> SealedRef:
        """Close the manifest and publish the run under the opening's id.

        Raises:
            RunExistsError: The id is sealed already; nothing was overwritten.
        """
        check_id(opening["id"])
        refuse_sealed(self._root, opening["id"])
        complete = cast("RunOpening", {**opening, "axes": sorted(self._axes, key=axis_key_of)})
        misfits = find_misfits("run-opening", complete)
        if misfits:
            raise ArchiveError(f"a fact does not fit: {misfits[0].what}", place=misfits[0].pointer or "/")
        manifest = close_manifest(complete, self._recorded, self._staging.files, sealed_at=sealed_at)
        return publish_run(self._staging, self._root, manifest)


def _spool_records(
    spool: IO[bytes], records: Iterable[ImportedRecord], axis_key: str, recorded: RecordedItems
) -> "array[int]":
    """Write records as they come and note them; where each begins, and where the last one ends."""
    offsets = array("Q", [0])
    for record in records:
        item_id = record["item_id"]
        _require_shape("imported-record", record, f"{axis_key} {item_id}")
        if not recorded.record(item_id, record["outcome"]):
            raise OpenRunError("an imported item has two records", place=f"{axis_key} {item_id}")
        line = canonical(record) + b"\n"
        spool.write(line)
        offsets.append(offsets[-1] + len(line))
    return offsets


def _sorted_lines(spool: IO[bytes], offsets: "array[int]", recorded: RecordedItems) -> Iterator[bytes]:
    for number in recorded.ids.sort_numbers():
        spool.seek(offsets[number])
        yield spool.read(offsets[number + 1] - offsets[number])


def _blocks(source: BinaryIO) -> Iterator[bytes]:
    while block := source.read(_BLOCK):
        yield block


def _require_shape(schema: str, document: object, place: str) -> None:
    misfits = find_misfits(schema, document)
    if misfits:
        raise OpenRunError(
            f"not an {schema.replace('-', ' ')}: {misfits[0].what}", place=f"{place} {misfits[0].pointer or '/'}"
        )
