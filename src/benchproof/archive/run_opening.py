"""Open a run, resume one, list what is open. An open run appears whole or not at all."""

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from benchproof.archive.errors import ArchiveError, DamagedError, HandleError, OpenRunError, RunExistsError
from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.item_file import ItemFile
from benchproof.archive.journal import Journal, Replay, replay_journal
from benchproof.archive.layout import MANIFEST, RUNS, STAGING, check_store, list_names, open_run_folder, run_folder
from benchproof.archive.locks import HeldLock, take_run_lock
from benchproof.archive.names import axis_key_of
from benchproof.archive.open_run import JOURNAL, OPENING, OpenRun, remove_open_run
from benchproof.archive.opening import check_opening
from benchproof.archive.publishing import Staging
from benchproof.archive.rules.journal import a046_torn_journal_line
from benchproof.archive.schemas import find_misfits
from benchproof.archive.walking import open_beneath, opened_beneath, opened_folder, read_beneath
from benchproof.canon import CanonError, canonical, check_id, parse, sha256_hex
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import RunOpening
from benchproof.rulebook import Finding

OPEN_RUN_PREFIX = "run-"


class OpenRunSummary(NamedTuple):
    """One open run and how many items have their record; ``is_sealed``: a crash left it behind its sealed run."""

    id: str
    opening: RunOpening
    done: int
    planned: int
    is_sealed: bool = False


def open_run(
    root: Path,
    opening: RunOpening,
    *,
    axes: Mapping[str, ResolvedAxis],
    items: Mapping[str, Sequence[CompiledItem]],
    disk: Disk = DISK,
    monotonic: Callable[[], float] = time.monotonic,
) -> OpenRun:
    """Open a run for recording. Items that their bench excludes get their record at once."""
    check_store(root)
    check_opening(opening, axes, items)
    refuse_sealed(root, opening["id"])
    _refuse_open(root, opening["id"])
    lock = take_run_lock(root, opening["id"])
    try:
        _publish_open_run(root, opening, axes, items, disk)
        return _open_folder(root, opening["id"], lock, disk, monotonic)
    except BaseException:
        lock.release()
        raise


def resume_run(
    root: Path, run_id: str, *, disk: Disk = DISK, monotonic: Callable[[], float] = time.monotonic
) -> OpenRun:
    """Open a run again; torn lines of its journal are dropped and stand in ``findings``."""
    check_store(root)
    check_id(run_id)
    refuse_sealed(root, run_id)
    _require_open(root, run_id)
    lock = take_run_lock(root, run_id)
    try:
        return _open_folder(root, run_id, lock, disk, monotonic)
    except BaseException:
        lock.release()
        raise


def discard_open_run(root: Path, run_id: str, *, disk: Disk = DISK) -> None:
    """Remove an open run that nobody works on, and all that it recorded; also one left behind by a sealed run."""
    check_store(root)
    _require_open(root, run_id)
    lock = take_run_lock(root, run_id)
    try:
        remove_open_run(root, run_id, disk)
    finally:
        lock.release()


def list_open_runs(root: Path, *, on_damage: Callable[[str, ArchiveError], None] | None = None) -> list[OpenRunSummary]:
    """Every open run, by id; reads only. One that another process seals or discards meanwhile is left out.

    A run that cannot be read is an error; with ``on_damage`` it is reported there (id, error) and left out.
    """
    check_store(root)
    summaries = []
    for run_id in _open_ids(root):
        try:
            summaries.append(_summarize(root, run_id))
        except ArchiveError as error:
            if not os.path.lexists(open_run_folder(root, run_id)):
                continue
            if on_damage is None:
                raise
            on_damage(run_id, error)
    return summaries


def refuse_sealed(root: Path, run_id: str) -> None:
    """Raise where a sealed run has the id, in any letter case."""
    for name in list_names(root / RUNS):
        if name.casefold() == run_id.casefold():
            manifest = run_folder(root, name) / MANIFEST
            with storage_errors(str(manifest)):
                sha256 = sha256_hex(manifest.read_bytes()) if manifest.is_file() else "unknown"
            raise RunExistsError(name, sealed_sha256=sha256)


def _refuse_open(root: Path, run_id: str) -> None:
    for name in _open_ids(root):
        if name.casefold() == run_id.casefold():
            raise _open_already(name)


def _open_already(run_id: str) -> OpenRunError:
    return OpenRunError(
        "a run of that id is open already",
        place=f"{STAGING}/{OPEN_RUN_PREFIX}{run_id}",
        hint="Resume it, discard it, or use another id",
    )


def _require_open(root: Path, run_id: str) -> None:
    if run_id not in _open_ids(root):
        names = ", ".join(_open_ids(root)) or "none"
        raise HandleError("no such open run", place=str(root), got=repr(run_id), expected=f"one of: {names}")


def _open_ids(root: Path) -> list[str]:
    return [
        name.removeprefix(OPEN_RUN_PREFIX) for name in list_names(root / STAGING) if name.startswith(OPEN_RUN_PREFIX)
    ]


def _publish_open_run(
    root: Path,
    opening: RunOpening,
    axes: Mapping[str, ResolvedAxis],
    items: Mapping[str, Sequence[CompiledItem]],
    disk: Disk,
) -> None:
    with Staging(root, disk) as staging:
        for axis_key in axes:
            staging.write(f"axes/{axis_key}.json", [canonical(axes[axis_key])])
            staging.write(f"items/{axis_key}.ndjson", _lines(items[axis_key]))
        staging.write(JOURNAL, [], mode=0o644)
        opening_file = staging.write(OPENING, [canonical(opening)])
        staging.settle()
        try:
            staging.publish(STAGING, f"{OPEN_RUN_PREFIX}{opening['id']}", sha256=opening_file["sha256"])
        except FileExistsError as error:
            raise _open_already(opening["id"]) from error


def _lines(items: Iterable[CompiledItem]) -> Iterable[bytes]:
    return (canonical(item) + b"\n" for item in items)


def _open_folder(root: Path, run_id: str, lock: HeldLock, disk: Disk, monotonic: Callable[[], float]) -> OpenRun:
    path = open_run_folder(root, run_id)
    with storage_errors(str(path)):
        folder = disk.open_folder(str(path))
    item_files: dict[str, ItemFile] = {}
    try:
        opening = _read_opening(folder, path, run_id)
        axes: dict[str, ResolvedAxis] = {}
        for axis_key in (axis_key_of(axis) for axis in opening["axes"]):
            axes[axis_key] = _read_shaped(folder, f"axes/{axis_key}.json", path, "resolved-axis")
            item_files[axis_key] = _open_items(folder, path, axis_key)
        journal, findings = _open_journal(path, folder, disk, monotonic(), axes)
    except BaseException:
        for item_file in item_files.values():
            item_file.close()
        disk.close_folder(folder)
        raise
    run = OpenRun(
        root,
        opening,
        axes=axes,
        items=item_files,
        journal=journal,
        folder=folder,
        lock=lock,
        disk=disk,
        findings=findings,
        monotonic=monotonic,
    )
    try:
        _exclude_declared(run, item_files)
    except BaseException:
        run.close()
        raise
    return run


def _read_opening(folder: int, path: Path, run_id: str) -> RunOpening:
    opening = cast("RunOpening", _read_shaped(folder, OPENING, path, "run-opening"))
    if opening["id"] != run_id:
        raise DamagedError(
            "the folder is not named by its open run", place=f"{path}/{OPENING}", got=run_id, expected=opening["id"]
        )
    return opening


def _read_shaped(folder: int, name: str, path: Path, schema: str) -> Any:
    place = f"{path}/{name}"
    try:
        document = parse(read_beneath(folder, name, place), place=place)
    except CanonError as error:
        raise DamagedError(error.what, place=error.place, got=error.got, expected=error.expected) from error
    misfits = find_misfits(schema, document)
    if misfits:
        raise DamagedError(f"not of the shape of a {schema}: {misfits[0].what}", place=f"{place} {misfits[0].pointer}")
    return document


def _open_items(folder: int, path: Path, axis_key: str) -> ItemFile:
    place = f"{path}/items/{axis_key}.ndjson"
    stream = open_beneath(folder, f"items/{axis_key}.ndjson", place)
    try:
        return ItemFile.read_index(stream, place)
    except BaseException:
        stream.close()
        raise


def _exclude_declared(run: OpenRun, item_files: Mapping[str, ItemFile]) -> None:
    done = run.done()
    for axis_key, item_file in item_files.items():
        for item_id, reason in item_file.excluded.items():
            if (axis_key, item_id) not in done:
                run.exclude(axis_key, item_id, reason)


def _open_journal(
    path: Path, folder: int, disk: Disk, now: float, axis_keys: Collection[str]
) -> tuple[Journal, tuple[Finding, ...]]:
    place = f"{path}/{JOURNAL}"
    with storage_errors(place):
        with opened_beneath(folder, JOURNAL, place) as stream:
            replay = replay_journal(stream, place=place)
            size = os.fstat(stream.fileno()).st_size
        _refuse_other_axes(place, replay, axis_keys)
        file = disk.open_append(JOURNAL, folder)
        try:
            if size != replay.length:
                disk.truncate(file, replay.length)
                disk.sync(file)
        except BaseException:
            disk.close(file)
            raise
    return Journal(disk, file, replay, place=place, now=now), tuple(a046_torn_journal_line(JOURNAL, replay))


def _refuse_other_axes(place: str, replay: Replay, axis_keys: Collection[str]) -> None:
    other = [key for key in replay.entries.axis_keys if key not in axis_keys]
    if other:
        raise DamagedError(
            "the journal has entries of an axis that the run does not have",
            place=place,
            got=", ".join(map(repr, other)),
            expected=", ".join(axis_keys),
        )


def _summarize(root: Path, run_id: str) -> OpenRunSummary:
    path = open_run_folder(root, run_id)
    steps = (STAGING, f"{OPEN_RUN_PREFIX}{run_id}")
    with opened_folder(root, steps, str(path)) as folder, storage_errors(str(path)):
        opening = _read_opening(folder, path, run_id)
        with opened_beneath(folder, JOURNAL, f"{path}/{JOURNAL}") as stream:
            done = len(replay_journal(stream, place=f"{path}/{JOURNAL}").entries)
        is_sealed = run_folder(root, run_id).is_dir()
    planned = sum(axis["items"]["planned"] for axis in opening["axes"])
    return OpenRunSummary(run_id, opening, done, planned, is_sealed)
