"""Reading below a folder by descriptor, following no link, opening nothing but regular files.

Laws kept (contract-archive §5): readers take no lock and write nothing; a symbolic link anywhere below the folder
is refused; a FIFO does not block; a file that changes while it is read gives no verdict.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, Protocol

from benchproof.archive.errors import ChangedWhileReadingError, DamagedError, StorageError
from benchproof.archive.filesystem import storage_errors

EntryKind = Literal["file", "folder", "link", "special", "unreadable"]
_CHUNK = 1 << 20
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Entry(NamedTuple):
    """One name below a folder; ``path`` is relative with forward slashes, ``links`` the number of hard links."""

    path: str
    kind: EntryKind
    size: int
    links: int


class Members(Protocol):
    """What stands in for a folder's descriptor where the files lie inside one file, such as a packed proof."""

    def open(self, path: str, place: str) -> BinaryIO:
        """A regular file, seekable; ``DamagedError`` where there is none."""
        ...

    def list_entries(self) -> list[Entry]:
        """Every name, in sorted order, folders before what is in them."""
        ...


Folder = int | Members
"""A folder to read below: by descriptor, or the members of a packed file."""


def open_root(path: Path) -> int:
    """Open the folder that the user named; it alone may be reached through a link."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


@contextmanager
def opened_folder(anchor: Path, steps: tuple[str, ...], place: str) -> Iterator[int]:
    """Open a folder some steps below ``anchor``, each step by descriptor and through no link."""
    with storage_errors(place):
        folder = open_root(anchor)
    try:
        for step in steps:
            try:
                inner = os.open(step, _FOLDER_FLAGS, dir_fd=folder)
            except NotADirectoryError as error:
                raise DamagedError(
                    f"{step!r} is no folder", place=place, expected="a folder, no file and no symbolic link"
                ) from error
            except OSError:
                with storage_errors(place):
                    raise
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


@contextmanager
def opened_beneath(folder: Folder, path: str, place: str) -> Iterator[BinaryIO]:
    """Open a regular file below ``folder`` for reading, each level by descriptor."""
    with open_beneath(folder, path, place) as stream:
        yield stream


def open_beneath(folder: Folder, path: str, place: str) -> BinaryIO:
    """As ``opened_beneath``, for a caller who keeps the stream and closes it."""
    if not isinstance(folder, int):
        return folder.open(path, place)
    with storage_errors(place):
        return os.fdopen(_open_file(folder, path, place), "rb", buffering=_CHUNK)


def _open_file(folder: int, path: str, place: str) -> int:
    *parents, name = path.split("/")
    if {"", ".", ".."} & {*parents, name}:
        raise DamagedError("the path leaves its folder", place=place, got=repr(path), expected="a normalised path")
    level = os.dup(folder)
    try:
        for parent in parents:
            inner = os.open(parent, _FOLDER_FLAGS, dir_fd=level)
            os.close(level)
            level = inner
        descriptor = os.open(name, _READ_FLAGS, dir_fd=level)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise DamagedError("a symbolic link stands in the way", place=place, expected="a regular file") from error
        if error.errno == errno.ENOENT:
            raise DamagedError("the file is missing", place=place) from error
        if error.errno == errno.ENXIO:
            raise DamagedError("not a regular file", place=place, expected="a regular file") from error
        raise
    finally:
        os.close(level)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DamagedError("not a regular file", place=place, expected="a regular file")
    return descriptor


def read_beneath(folder: Folder, path: str, place: str, *, limit: int | None = None) -> bytes:
    """All bytes of a regular file below ``folder``; one of more than ``limit`` bytes is not what was asked for."""
    with opened_beneath(folder, path, place) as stream, storage_errors(place):
        if limit is None:
            return stream.read()
        data = stream.read(limit + 1)
        if len(data) > limit:
            raise DamagedError("the file is too large", place=place, expected=f"at most {limit} bytes")
        return data


def hash_beneath(
    folder: Folder, path: str, place: str, on_bytes: Callable[[int], None] | None = None
) -> tuple[str, int]:
    """SHA-256 and size of a regular file below ``folder``; ``on_bytes`` hears of each chunk."""
    with opened_beneath(folder, path, place) as stream, storage_errors(place):
        expected = _measure(stream)
        sha256, size = hashlib.sha256(), 0
        while chunk := stream.read(_CHUNK):
            sha256.update(chunk)
            size += len(chunk)
            if on_bytes is not None:
                on_bytes(len(chunk))
        if size != expected or _measure(stream) != size:
            raise ChangedWhileReadingError(
                "the file changed while it was read",
                place=place,
                got=f"{size} bytes",
                expected=f"{expected} bytes",
                hint="Verify again when nothing writes to it",
            )
    return sha256.hexdigest(), size


def _measure(stream: BinaryIO) -> int:
    """Size in bytes, without moving the stream."""
    before = stream.tell()
    size = stream.seek(0, os.SEEK_END)
    stream.seek(before)
    return size


def walk_beneath(
    folder: Folder, place: str, *, on_unreadable: Callable[[StorageError], None] | None = None
) -> Iterator[Entry]:
    """Every name below ``folder``, in sorted order, folders before what is in them; links are not followed.

    What cannot be looked at is an error; with ``on_unreadable`` it is reported there, given as ``unreadable``, and the
    walk goes on beside it.
    """
    if not isinstance(folder, int):
        yield from folder.list_entries()
        return
    yield from _walk(folder, _list_names(folder, place), "", place, on_unreadable)


def list_beneath(folder: int, place: str) -> list[Entry]:
    """The names directly in ``folder``, sorted; one that is removed meanwhile is left out."""
    entries = []
    for name in _list_names(folder, place):
        with storage_errors(f"{place}/{name}"), suppress(FileNotFoundError):
            entries.append(_describe(name, os.stat(name, dir_fd=folder, follow_symlinks=False)))
    return entries


def _walk(
    folder: int, names: list[str], prefix: str, place: str, on_unreadable: Callable[[StorageError], None] | None
) -> Iterator[Entry]:
    for name in names:
        path, inner = f"{prefix}{name}", None
        try:
            entry = _look_at(folder, name, prefix, place)
            if entry.kind == "folder":
                with storage_errors(f"{place}/{path}"):
                    inner = os.open(name, _FOLDER_FLAGS, dir_fd=folder)
                below = _list_names(inner, f"{place}/{path}")
        except StorageError as error:
            if inner is not None:
                os.close(inner)
            if on_unreadable is None:
                raise
            on_unreadable(error)
            yield Entry(path, "unreadable", 0, 1)
            continue
        yield entry
        if inner is not None:
            try:
                yield from _walk(inner, below, f"{path}/", place, on_unreadable)
            finally:
                os.close(inner)


def _list_names(folder: int, place: str) -> list[str]:
    with storage_errors(place):
        return sorted(os.listdir(folder))


def _look_at(folder: int, name: str, prefix: str, place: str) -> Entry:
    path = f"{prefix}{name}"
    with storage_errors(f"{place}/{path}"):
        return _describe(path, os.stat(name, dir_fd=folder, follow_symlinks=False))


def _describe(path: str, facts: os.stat_result) -> Entry:
    return Entry(path, _kind_of(facts.st_mode), facts.st_size, facts.st_nlink)


def _kind_of(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "special"
