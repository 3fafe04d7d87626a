"""A file that appears whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """A temporary file beside ``target`` that becomes ``target`` at the end, or leaves no trace after an error.

    ``OSError`` is the caller's to turn into one of ours.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        part.chmod(0o644)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
