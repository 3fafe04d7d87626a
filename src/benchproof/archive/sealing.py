"""Seal a run: close its manifest (pure), then stage, compare and publish it (driver).

Laws kept (contract-archive §4, §7): lines are ordered by item, so that an interrupted and resumed run seals the
same ``raw/`` and ``records/`` bytes as an uninterrupted one; the manifest is written last; the archive's lock is held
for the rename alone; until the sealed run is published the open run stays as it is.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchproof.archive.closing import close_manifest
from benchproof.archive.errors import OpenRunError, RunExistsError, StorageError
from benchproof.archive.journal import Journal
from benchproof.archive.layout import MANIFEST, RUNS, run_folder
from benchproof.archive.locks import hold_archive_lock
from benchproof.archive.names import (
    TIMINGS,
    axis_path,
    items_path,
    raw_path,
    records_path,
)
from benchproof.archive.open_run import OpenRun
from benchproof.archive.publishing import Staging
from benchproof.archive.rules.manifest import a018_file_list
from benchproof.archive.run_opening import refuse_sealed
from benchproof.archive.schemas import find_misfits
from benchproof.archive.walking import open_root, opened_beneath, read_beneath, walk_beneath
from benchproof.canon import CanonError, canonical, parse, sha256_hex
from benchproof.records.run import FileEntry, RunManifest

_EVIDENCE = ("raw/", "records/")


class SealedRef(NamedTuple):
    """A sealed run: its id, the SHA-256 of its manifest, where it stands, and whether items are missing."""

    id: str
    sha256: str
    path: Path
    partial: bool


def seal_run(run: OpenRun, *, sealed_at: str) -> SealedRef:
    """Seal an open run and close it. A failure before the publication leaves it open, to be sealed again."""
    run.require_open()
    recorded = {key: run.journal.entries.recorded(key) for key in run.axis_keys}
    with Staging(run.root, run.disk) as staging:
        for axis_key in run.axis_keys:
            _stage_axis(staging, run, axis_key)
        _stage_attachments(staging, run)
        manifest = close_manifest(run.opening, recorded, staging.files, sealed_at=sealed_at)
        sealed = publish_run(staging, run.root, manifest)
    # The run is published: a folder that cannot be removed is listed as sealed, and costs nobody the result.
    with suppress(StorageError):
        run.remove()
    run.close()
    return sealed


def publish_run(staging: Staging, root: Path, manifest: RunManifest) -> SealedRef:
    """Write the manifest last, settle, and publish under the archive's lock."""
    misfits = find_misfits("run-manifest", manifest)
    if misfits:
        raise OpenRunError(f"the manifest would not be one: {misfits[0].what}", place=misfits[0].pointer)
    for fault in a018_file_list(MANIFEST, manifest):
        raise OpenRunError(f"nothing was sealed: {fault.what}", place=manifest["id"], got=fault.got, hint="Rename one")
    files = staging.files
    entry = staging.write(MANIFEST, [canonical(manifest)])
    staging.settle()
    run_id = manifest["id"]
    with hold_archive_lock(root):
        try:
            refuse_sealed(root, run_id)
            staging.publish(RUNS, run_id, sha256=entry["sha256"])
        except RunExistsError as error:
            raise _explain_existing(root, error.run_id, files) from error
        except FileExistsError as error:
            raise _explain_existing(root, run_id, files) from error
    return SealedRef(run_id, entry["sha256"], run_folder(root, run_id), manifest["partial"])


def _stage_axis(staging: Staging, run: OpenRun, axis_key: str) -> None:
    staging.write(axis_path(axis_key), [_read(run, f"axes/{axis_key}.json")])
    staging.write(items_path(axis_key), _read_blocks(run, f"items/{axis_key}.ndjson"))
    staging.write(raw_path(axis_key), _raw_lines(run.journal, axis_key))
    staging.write(records_path(axis_key), _record_lines(run.journal, axis_key))


def _raw_lines(journal: Journal, axis_key: str) -> Iterator[bytes]:
    for key in journal.entries.sort_keys(axis_key):
        raw = journal.read(key).raw
        if raw:
            yield raw + b"\n"


def _record_lines(journal: Journal, axis_key: str) -> Iterator[bytes]:
    return (journal.read(key).record + b"\n" for key in journal.entries.sort_keys(axis_key))


def _stage_attachments(staging: Staging, run: OpenRun) -> None:
    for entry in walk_beneath(run.folder, str(run.path)):
        name = entry.path.rpartition("/")[2]
        if entry.kind == "file" and entry.path.startswith("attachments/") and not name.startswith(".unfinished-"):
            staging.write(entry.path, _read_blocks(run, entry.path))
    timings = _timing_lines(run.journal)
    if first := next(timings, None):
        staging.write(TIMINGS, chain([first], timings))


def _timing_lines(journal: Journal) -> Iterator[bytes]:
    for axis_key in journal.entries.axis_keys:
        for key in journal.entries.sort_keys(axis_key, is_timed=True):
            head = parse(journal.read(key).head)
            yield canonical({"axis_key": key[0], "item_id": key[1], "timing": head["timing"]}) + b"\n"


def _read(run: OpenRun, path: str) -> bytes:
    return read_beneath(run.folder, path, f"{run.path}/{path}")


def _read_blocks(run: OpenRun, path: str) -> Iterator[bytes]:
    with opened_beneath(run.folder, path, f"{run.path}/{path}") as stream:
        while block := stream.read(1 << 16):
            yield block


def _explain_existing(root: Path, run_id: str, files: Sequence[FileEntry]) -> RunExistsError:
    folder = open_root(root)
    try:
        data = read_beneath(folder, f"{RUNS}/{run_id}/{MANIFEST}", f"{RUNS}/{run_id}")
    finally:
        os.close(folder)
    try:
        theirs = _evidence(parse(data)["files"])
    except (CanonError, KeyError, TypeError):
        return RunExistsError(run_id, sealed_sha256=sha256_hex(data))
    return RunExistsError(run_id, sealed_sha256=sha256_hex(data), identical=theirs == _evidence(files))


def _evidence(files: Iterable[FileEntry]) -> set[tuple[str, str]]:
    return {(entry["path"], entry["sha256"]) for entry in files if entry["path"].startswith(_EVIDENCE)}
