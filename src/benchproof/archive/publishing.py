"""Publish a folder: stage, settle, compare, rename, settle again (contract-archive §4).

    building ──settle──► settled ──publish──► published
        └────────any failure────────► abandoned

Laws kept: staging stands on the archive's device; every file is created anew; a failed sync is final for that staging;
what was staged is read back and compared before it gets its name; the rename is the arbiter and never replaces. A
failure before the rename leaves the archive as it was; one after it has an error of its own.
"""

import hashlib
import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from benchproof.archive.errors import PublishedButNotDurableError, StorageError
from benchproof.archive.filesystem import Disk, storage_errors, taken_or_storage_errors
from benchproof.archive.layout import STAGING
from benchproof.archive.locks import mark_in_use
from benchproof.archive.walking import hash_beneath, opened_beneath
from benchproof.canon import check_relative_path
from benchproof.records.run import FileEntry

_TRIES = 100


class _Stage(Enum):
    BUILDING = auto()
    SETTLED = auto()
    PUBLISHED = auto()


class Staging:
    """A folder that nobody can see until it is published whole; left early, it removes itself."""

    def __init__(self, root: Path, disk: Disk) -> None:
        self._root = root
        self._disk = disk
        self._stage = _Stage.BUILDING
        self._files: dict[str, FileEntry] = {}
        self._folders: dict[str, int] = {}
        with storage_errors(f"{root}/{STAGING}"):
            self._parent = disk.open_folder(str(root / STAGING))
            try:
                _refuse_other_device(self._parent, root, f"{root}/{STAGING}")
                self._token, self._folders[""] = self._make_folder()
            except BaseException:
                disk.close_folder(self._parent)
                raise
        self._place = f"{root}/{STAGING}/{self._token}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if self._stage is not _Stage.PUBLISHED:
                # Left-overs in staging are ignored by readers: failing to remove them must not hide why we are here.
                self._disk.remove_if_there(self._token, self._parent)
        finally:
            for folder in self._folders.values():
                self._disk.close_folder(folder)
            self._disk.close_folder(self._parent)

    def _make_folder(self) -> tuple[str, int]:
        """A new folder that is marked as in use, and its name; one that is swept before it was marked is let go."""
        for _ in range(_TRIES):
            token = os.urandom(16).hex()
            self._disk.make_folder(token, self._parent)
            with suppress(FileNotFoundError):
                folder = self._disk.open_folder(token, self._parent)
                if mark_in_use(folder) and _stands_as(folder, token, self._parent):
                    return token, folder
                self._disk.close_folder(folder)
                self._disk.remove_if_there(token, self._parent)
        raise StorageError("staging is swept faster than a folder can be made", place=f"{self._root}/{STAGING}")

    @property
    def files(self) -> list[FileEntry]:
        """What was written so far, by path in code-point order."""
        return [self._files[path] for path in sorted(self._files)]

    def write(self, path: str, chunks: Iterable[bytes], *, mode: int = 0o444) -> FileEntry:
        """Write one new file; its digest is taken on the way."""
        check_relative_path(path)
        sha256, size = hashlib.sha256(), 0
        with storage_errors(f"{self._place}/{path}"):
            *_, name = path.split("/")
            file = self._disk.create(name, self._folder(path.rpartition("/")[0]), mode)
            try:
                for block in _in_blocks(chunks):
                    self._disk.write(file, block)
                    sha256.update(block)
                    size += len(block)
                self._disk.sync(file)
            finally:
                self._disk.close(file)
        entry: FileEntry = {"path": path, "bytes": size, "sha256": sha256.hexdigest()}
        self._files[path] = entry
        return entry

    def opened(self, path: str) -> AbstractContextManager[BinaryIO]:
        """A file that was written, to be read again before it is published."""
        return opened_beneath(self._folders[""], path, f"{self._place}/{path}")

    def settle(self) -> None:
        """Make every folder durable, then read every file back and compare."""
        with storage_errors(self._place):
            for path in sorted(self._folders, reverse=True):
                self._disk.sync(self._folders[path])
        for entry in self.files:
            place = f"{self._place}/{entry['path']}"
            if hash_beneath(self._folders[""], entry["path"], place) != (entry["sha256"], entry["bytes"]):
                raise StorageError(
                    "the disk gave back other bytes than were written", place=place, hint="Check the disk and memory"
                )
        self._stage = _Stage.SETTLED

    def publish(self, registry: str, name: str, *, sha256: str) -> None:
        """Give the folder its name in the registry; ``FileExistsError`` where the name is taken.

        ``sha256`` is the identity that is named when the folder is published but its name not known to be durable.
        """
        if self._stage is not _Stage.SETTLED:
            raise AssertionError("publish comes after settle")
        place = f"{registry}/{name}"
        with storage_errors(place):
            target = self._open_registry(registry)
        try:
            with taken_or_storage_errors(place):
                self._disk.rename_new(self._token, self._parent, name, target)
            self._stage = _Stage.PUBLISHED
            try:
                self._disk.sync(target)
                self._disk.sync(self._parent)
            except OSError as error:
                raise PublishedButNotDurableError(place, sha256, error.strerror or str(error)) from error
        finally:
            self._disk.close_folder(target)

    def _open_registry(self, registry: str) -> int:
        root = self._disk.open_folder(os.path.realpath(self._root))
        try:
            try:
                self._disk.make_folder(registry, root)
                self._disk.sync(root)
            except FileExistsError:
                pass
            return self._disk.open_folder(registry, root)
        finally:
            self._disk.close_folder(root)

    def _folder(self, path: str) -> int:
        if path not in self._folders:
            parent, _, name = path.rpartition("/")
            above = self._folder(parent)
            self._disk.make_folder(name, above)
            self._folders[path] = self._disk.open_folder(name, above)
        return self._folders[path]


def _stands_as(folder: int, name: str, parent: int) -> bool:
    """Whether an open folder still has that name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(folder), os.stat(name, dir_fd=parent, follow_symlinks=False))
    return False


def _in_blocks(chunks: Iterable[bytes], size: int = 1 << 18) -> Iterable[bytes]:
    block = bytearray()
    for chunk in chunks:
        block += chunk
        if len(block) >= size:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


def _refuse_other_device(staging: int, root: Path, place: str) -> None:
    if os.fstat(staging).st_dev != root.stat().st_dev:
        raise StorageError(
            "staging stands on another device than the archive, so that nothing can be published in one step",
            place=place,
            hint="Remove the mount at .staging",
        )
