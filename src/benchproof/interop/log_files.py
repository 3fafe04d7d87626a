"""Files of a log: found where the user points, looked into for their format, and read again from the kept bytes.

Laws: a symbolic link below the folder that was named, and anything that is no regular file, is not followed and is
said; a format is told by content, never by a name; what was looked at is what is kept, or the import is refused.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from benchproof.archive.filesystem import storage_errors
from benchproof.interop.errors import InteropError, UnreadableLogError
from benchproof.interop.foreign_json import read_json

HEAD_BYTES = 1 << 16
LARGEST_DOCUMENT = 1 << 28
"""Bytes of the largest JSON document that is read whole: 256 MiB. Files of lines have no such limit."""

Opener = Callable[[], AbstractContextManager[BinaryIO]]


class Skipped(NamedTuple):
    """Something below the folder that is no file to import, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class LogFile:
    """One file of a log. ``name`` is how it was found, with forward slashes; ``path`` where it is kept below the run.

    ``path`` is empty until the file is kept. Both the found and the kept file are opened through ``opener``.
    """

    name: str
    size: int
    opener: Opener = field(repr=False, compare=False)
    path: str = ""

    def opened(self) -> AbstractContextManager[BinaryIO]:
        """The bytes, seekable."""
        return self.opener()

    @property
    def place(self) -> str:
        """How messages name the file."""
        return self.path or self.name

    @property
    def basename(self) -> str:
        """The last part of its name."""
        return self.name.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """All but the last part of its name."""
        return self.name.rpartition("/")[0]

    def read(self, *, limit: int = LARGEST_DOCUMENT) -> bytes:
        """All bytes; refused above ``limit``."""
        if self.size > limit:
            raise UnreadableLogError(
                "the file is larger than any log of its kind", place=self.place, got=f"{self.size:,} bytes",
                expected=f"at most {limit:,}",
            )  # fmt: skip
        with self.opened() as stream:
            return stream.read(limit + 1)


class Look:
    """What formats look at to tell whose file it is; nothing is read twice."""

    def __init__(self, file: LogFile) -> None:
        self.file = file

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB."""
        with self.file.opened() as stream:
            return stream.read(HEAD_BYTES)

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON document, or ``None``; files above 256 MiB are none."""
        if not self._begins_like_json() or self.file.size > LARGEST_DOCUMENT:
            return None
        first = self.first_line
        if isinstance(first, dict) and self.file.size > len(self.head):
            return None  # a file of lines, not one document
        try:
            return read_json(self.file.read(), place=self.file.place).value
        except InteropError:
            return None

    @cached_property
    def first_line(self) -> Any:
        """The first line as a JSON document, or ``None``; longer than 64 MiB it is none."""
        if not self._begins_like_json():
            return None
        with self.file.opened() as stream:
            line = stream.readline(1 << 26)
        try:
            return read_json(line, place=self.file.place).value
        except InteropError:
            return None

    def _begins_like_json(self) -> bool:
        return self.head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")[:1] in (b"{", b"[")


def find_files(paths: Iterable[Path]) -> tuple[list[LogFile], list[Skipped]]:
    """Every regular file that the paths name or hold, by name, and what was passed over.

    Raises:
        InteropError: A path does not exist, or cannot be listed.
    """
    files: dict[str, LogFile] = {}
    skipped: list[Skipped] = []
    for path in paths:
        with storage_errors(str(path)):
            mode = path.stat().st_mode
            found = [(path.name, path)] if not stat.S_ISDIR(mode) else list(_walk(path, skipped))
        for name, one in found:
            file = _look_at(name, one, skipped)
            if file is not None:
                files.setdefault(file.name, file)
    return [files[name] for name in sorted(files)], sorted(skipped)


def _walk(root: Path, skipped: list[Skipped]) -> Iterator[tuple[str, Path]]:
    def refuse(error: OSError) -> None:
        raise error

    for folder, names, files in os.walk(root, onerror=refuse):
        for name in sorted(names):
            if name.startswith(".") or (Path(folder) / name).is_symlink():
                names.remove(name)
                skipped.append(Skipped(_relative(root, Path(folder) / name), "a hidden or linked folder"))
        names.sort()
        for name in sorted(files):
            yield _relative(root, Path(folder) / name), Path(folder) / name


def _relative(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _look_at(name: str, path: Path, skipped: list[Skipped]) -> LogFile | None:
    with storage_errors(str(path)):
        facts = path.stat(follow_symlinks=False)
    if not stat.S_ISREG(facts.st_mode):
        skipped.append(Skipped(name, "a link" if stat.S_ISLNK(facts.st_mode) else "no regular file"))
        return None
    return LogFile(name, facts.st_size, lambda: _opened(path))


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    with storage_errors(str(path)), path.open("rb") as stream:
        yield stream
