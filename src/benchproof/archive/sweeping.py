"""Remove what a crash left in staging (contract-archive §4). An open run is never touched: discard it by name."""

from pathlib import Path

from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.layout import STAGING, check_store
from benchproof.archive.locks import hold_archive_lock, is_in_use
from benchproof.archive.run_opening import OPEN_RUN_PREFIX
from benchproof.archive.walking import list_beneath, opened_folder


def sweep_staging(root: Path, *, only_list: bool = False, disk: Disk = DISK) -> list[str]:
    """Remove left-over staging that no process works in, or ``only_list`` it; the names, sorted."""
    check_store(root)
    removed = []
    with hold_archive_lock(root), opened_folder(root, (STAGING,), STAGING) as staging:
        for entry in list_beneath(staging, STAGING):
            if entry.path.startswith(OPEN_RUN_PREFIX):
                continue
            with storage_errors(f"{STAGING}/{entry.path}"):
                if entry.kind == "folder" and _is_in_use(staging, entry.path, disk):
                    continue
                if not only_list:
                    disk.remove_tree(entry.path, staging)
            removed.append(entry.path)
    return removed


def _is_in_use(staging: int, name: str, disk: Disk) -> bool:
    folder = disk.open_folder(name, staging)
    try:
        return is_in_use(folder)
    finally:
        disk.close_folder(folder)
