"""Remove what a crash left in staging (contract-archive §4). An open run is never touched: discard it by name."""

from contextlib import suppress
from pathlib import Path

from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.layout import STAGING, check_store
from benchproof.archive.locks import hold_archive_lock, is_in_use
from benchproof.archive.run_opening import OPEN_RUN_PREFIX
from benchproof.archive.walking import Entry, list_beneath, opened_folder


def sweep_staging(root: Path, *, only_list: bool = False, disk: Disk = DISK) -> list[str]:
    """Remove left-over staging that no process works in, or ``only_list`` it; the names, sorted."""
    check_store(root)
    removed = []
    with hold_archive_lock(root), opened_folder(root, (STAGING,), STAGING) as staging:
        for entry in list_beneath(staging, STAGING):
            if entry.path.startswith(OPEN_RUN_PREFIX):
                continue
            # What is gone meanwhile was published, or removed by whom it belonged to.
            with storage_errors(f"{STAGING}/{entry.path}"), suppress(FileNotFoundError):
                if _sweep(entry, staging, disk, only_list=only_list):
                    removed.append(entry.path)
    return removed


def _sweep(entry: Entry, staging: int, disk: Disk, *, only_list: bool) -> bool:
    """Remove one name where nobody works in it; whether it is, or would be. Its mark is held until it is gone."""
    folder = disk.open_folder(entry.path, staging) if entry.kind == "folder" else None
    try:
        if folder is not None and is_in_use(folder):
            return False
        if not only_list:
            disk.remove_tree(entry.path, staging)
        return True
    finally:
        if folder is not None:
            disk.close_folder(folder)
