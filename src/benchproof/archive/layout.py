"""Where things stand in an archive, and the one file that says that it is one (contract-archive §2).

store.json   runs/<id>/   derived/scores/<run id>/   .locks/   .staging/run-<id>/
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from benchproof.archive.errors import DamagedError, LayoutError, StorageError
from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.walking import opened_folder, read_beneath
from benchproof.canon import CanonError, canonical, parse

ARCHIVE_NAME = "babel-data"
STORE = {"schema_version": 1, "layout": "babel-data/v1", "canonicalization": "rfc8785-jcs-v1"}
STORE_FILE = "store.json"
RUNS = "runs"
STAGING = ".staging"
LOCKS = ".locks"
SCORES = "derived/scores"
MANIFEST = "manifest.json"
STORE_BYTES = 1 << 16
_LAYOUT = re.compile(r"babel-data/v[0-9]{1,9}")


def init_archive(root: Path, *, disk: Disk = DISK) -> None:
    """Make an archive at ``root``, or leave an existing one as it is."""
    with storage_errors(str(root)):
        root.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(root / STORE_FILE):
            _write_store(root, disk)
        for name in (RUNS, STAGING, LOCKS):
            with suppress(FileExistsError):
                (root / name).mkdir()
    check_store(root)


def _write_store(root: Path, disk: Disk) -> None:
    staging = root / STAGING
    staging.mkdir(exist_ok=True)
    token = f"store-{os.urandom(16).hex()}"
    folder, staged = disk.open_folder(os.path.realpath(root)), disk.open_folder(str(staging))
    try:
        file = disk.create(token, staged)
        try:
            disk.write(file, canonical(STORE))
            disk.sync(file)
        finally:
            disk.close(file)
        try:
            disk.rename_new(token, staged, STORE_FILE, folder)
        except FileExistsError:
            disk.remove_tree(token, staged)
        disk.sync(folder)
    finally:
        disk.close_folder(staged)
        disk.close_folder(folder)


def check_store(root: Path) -> None:
    """Refuse a folder that is no archive of this layout."""
    place = str(root / STORE_FILE)
    if not os.path.lexists(place):
        raise LayoutError(
            "no archive here",
            place=str(root),
            expected=f"a folder with {STORE_FILE}",
            hint="Make one with init_archive",
        )
    try:
        with opened_folder(root, (), str(root)) as folder:
            data = read_beneath(folder, STORE_FILE, place, limit=STORE_BYTES)
    except DamagedError as error:
        raise LayoutError(error.what, place=place, expected=error.expected) from error
    if not is_store(data):
        raise LayoutError(
            "not a store file that this version reads",
            place=place,
            got=data[:200].decode("utf-8", "replace"),
            expected=canonical(STORE).decode(),
            hint="A newer benchproof may have written it",
        )


def is_store(data: bytes) -> bool:
    """Whether the bytes of a store file are those of this layout."""
    try:
        return canonical(parse(data)) == canonical(STORE)
    except CanonError:
        return False


def is_other_layout(data: bytes) -> bool:
    """Whether a store file names another version of the layout: an archive, but not for this version to judge."""
    try:
        store = parse(data)
    except CanonError:
        return False
    layout = store.get("layout") if isinstance(store, dict) else None
    return isinstance(layout, str) and layout != STORE["layout"] and _LAYOUT.fullmatch(layout) is not None


def find_archive(start: Path) -> Path | None:
    """The nearest archive at ``start`` or above it: a folder with a store file, or ``babel-data`` beside one."""
    place = start.resolve()
    for folder in (place, *place.parents):
        for candidate in (folder, folder / ARCHIVE_NAME):
            with suppress(LayoutError, StorageError):
                check_store(candidate)
                return candidate
    return None


def run_folder(root: Path, run_id: str) -> Path:
    """Where a sealed run stands."""
    return root / RUNS / run_id


def open_run_folder(root: Path, run_id: str) -> Path:
    """Where an open run stands."""
    return root / STAGING / f"run-{run_id}"


def list_names(folder: Path) -> list[str]:
    """The names in a folder, sorted; none where there is no such folder."""
    with storage_errors(str(folder)):
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
