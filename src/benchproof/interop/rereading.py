"""Read a sealed run's kept log again, by the reader of its format."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import BinaryIO

from benchproof.archive import SealedRun
from benchproof.interop.detection import find_reader, list_formats
from benchproof.interop.errors import InteropError
from benchproof.interop.foreign_run import ForeignRun
from benchproof.interop.log_files import LogFile
from benchproof.interop.shapes import expected_shape


def reread_run(run: SealedRun) -> ForeignRun:
    """What the reader of its format makes now of a sealed run's kept bytes.

    Raises:
        InteropError: The run was not imported, or by a format that is not known here.
    """
    origin = run.manifest.get("imported_from")
    reader = find_reader(str(origin.get("format"))) if origin else None
    if origin is None or reader is None:
        raise InteropError(
            "the run was not imported from a log that can be read here",
            place=run.id,
            got=str(origin.get("format")) if origin else "a run of its own",
            expected="an import of " + ", ".join(list_formats()),
        )

    def opener(path: str) -> Callable[[], AbstractContextManager[BinaryIO]]:
        return lambda: run.opened(path)

    files = [LogFile(one["name"], one["bytes"], opener(one["path"]), one["path"]) for one in origin["files"]]
    with expected_shape(run.id):
        return reader.read(files)
