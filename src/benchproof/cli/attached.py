"""The files that `run --attach` seals with each run."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from benchproof.cli.surroundings import SurroundingsError

MAX_BYTES = 256 << 20
"""Of one attached file: each is held in memory until the last run is sealed."""


def read_attached(files: Iterable[Path]) -> dict[str, bytes]:
    """The bytes of each file by its name; read before the first call, so that a file cannot go missing after hours.

    Raises:
        SurroundingsError: A file is none, is too large, changes meanwhile, or has the name of another.
    """
    named: dict[str, bytes] = {}
    for file in files:
        # What is sealed is read on systems that ignore letter case too.
        if file.name.casefold() in {name.casefold() for name in named}:
            raise SurroundingsError("two files to attach have one name", place=str(file), hint="Rename one.")
        named[file.name] = _read_file(file)
    return named


def _read_file(file: Path) -> bytes:
    """All bytes of a regular file, which a link may lead to; a FIFO that nobody writes to does not block."""
    try:
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
            before = os.fstat(stream.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise SurroundingsError("what is to be attached is no regular file", place=str(file))
            data = b"" if before.st_size > MAX_BYTES else stream.read(MAX_BYTES + 1)
            after = os.fstat(stream.fileno())
    except OSError as error:
        raise SurroundingsError(
            "a file to attach cannot be read", place=str(file), got=error.strerror or str(error)
        ) from error
    if max(before.st_size, len(data)) > MAX_BYTES:
        raise SurroundingsError(
            "a file to attach is too large",
            place=str(file),
            got=f"{max(before.st_size, len(data)):,} bytes",
            expected=f"at most {MAX_BYTES:,}",
            hint="Keep it elsewhere, and attach its SHA-256 (benchproof digest).",
        )
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or len(data) != after.st_size:
        raise SurroundingsError(
            "a file to attach changed while it was read", place=str(file), hint="Attach it when nothing writes to it."
        )
    return data
