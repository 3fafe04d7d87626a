"""Score sheets on disk: derived, recomputable, safe to delete (contract-archive §8).

    derived/scores/<run id>/<sha256 of the sheet>.json

A sheet is named by its bytes, so that a torn or altered one gives itself away; it is left out and computed anew.
"""

import errno
import os
from pathlib import Path
from typing import cast

from benchproof.archive.errors import ArchiveError, DamagedError
from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.layout import SCORES, check_store, list_names
from benchproof.archive.schemas import find_misfits, has_shape
from benchproof.archive.walking import opened_folder, read_beneath
from benchproof.canon import CanonError, canonical, check_id, parse_canonical, sha256_hex
from benchproof.records.score_sheet import ScoreSheet

_NOT_WRITABLE = {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR, errno.ELOOP}


def save_sheet(root: Path, sheet: ScoreSheet, *, disk: Disk = DISK) -> Path | None:
    """Keep a sheet; where it stands, or ``None`` where ``derived/`` cannot be written: a sheet needs no disk."""
    check_store(root)
    check_id(sheet["of"]["id"])
    misfits = find_misfits("score-sheet", sheet)
    if misfits:
        raise ArchiveError(f"not a score sheet: {misfits[0].what}", place=misfits[0].pointer or "/")
    data = canonical(sheet)
    folder = root / SCORES / sheet["of"]["id"]
    path = folder / f"{sha256_hex(data)}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder, path.name, data, disk)
    except OSError as error:
        if error.errno in _NOT_WRITABLE:
            return None
        with storage_errors(str(path)):
            raise
    return path


def load_sheets(root: Path, run_id: str) -> list[ScoreSheet]:
    """Every kept sheet of a run, by digest."""
    check_store(root)
    check_id(run_id)
    steps = (*SCORES.split("/"), run_id)
    names = [name for name in list_names(root.joinpath(*steps)) if name.endswith(".json") and not name.startswith(".")]
    if not names:
        return []
    with opened_folder(root, steps, "/".join(steps)) as folder:
        sheets = [_read(folder, name) for name in names]
    return [sheet for sheet in sheets if sheet is not None and sheet["of"]["id"] == run_id]


def _read(folder: int, name: str) -> ScoreSheet | None:
    try:
        data = read_beneath(folder, name, f"{SCORES}/{name}")
        sheet = parse_canonical(data)
    except (DamagedError, CanonError):
        return None
    if sha256_hex(data) != name.removesuffix(".json") or not has_shape("score-sheet", sheet):
        return None
    return cast("ScoreSheet", sheet)


def _write(folder: Path, name: str, data: bytes, disk: Disk) -> None:
    descriptor = disk.open_folder(str(folder))
    staged = f".{name}-{os.urandom(8).hex()}"
    try:
        file = disk.create(staged, descriptor, 0o644)
        try:
            disk.write(file, data)
        finally:
            disk.close(file)
        # A sheet of that name may be a torn one: this one is whole.
        disk.replace(staged, name, descriptor)
    except OSError:
        disk.remove_if_there(staged, descriptor)
        raise
    finally:
        disk.close_folder(descriptor)
