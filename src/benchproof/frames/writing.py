"""A frame as a file: written beside its place and put there when it is whole and every digest was compared."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from benchproof.frames.arrow_library import write_arrow, write_parquet
from benchproof.frames.columns import FrameShape, Kind, check_kind, describe_frame
from benchproof.frames.csv_file import write_csv
from benchproof.frames.errors import EmptyFrameError, FramesError
from benchproof.frames.reading import Runs, read_batches

Form = Literal["parquet", "csv", "arrow"]
FORMS: tuple[Form, ...] = get_args(Form)
"""Formats, which are also the endings of file names."""

Rows = list[Mapping[str, Any]]
_WRITERS: dict[Form, Callable[[FrameShape, Iterable[Rows], Path], None]] = {
    "parquet": write_parquet,
    "csv": write_csv,
    "arrow": write_arrow,
}


class WrittenFrame(NamedTuple):
    """What was written."""

    path: Path
    form: Form
    rows: int


def find_form(path: Path, form: str | None = None) -> Form:
    """The format that is asked for, else the one of the file's ending."""
    wanted = path.suffix.removeprefix(".").lower() if form is None else form
    for known in FORMS:
        if wanted == known:
            return known
    raise FramesError(
        "which format the file shall have is not clear" if form is None else "there is no such format",
        place=str(path),
        got=form or path.suffix or "no ending",
        expected="one of " + ", ".join(FORMS),
    )


def write_frame(
    kind: Kind, root: str | PathLike[str], runs: Runs, path: str | PathLike[str], *, form: str | None = None
) -> WrittenFrame:
    """Write a frame to a file, one batch in memory at a time; the file replaces one of its name.

    Args:
        kind: ``items``, ``calls`` or ``scores``.
        root: The archive.
        runs: A handle, or several.
        path: The file.
        form: ``parquet``, ``csv`` or ``arrow``; by default what the file's ending says.

    Raises:
        EmptyFrameError: The runs have no such rows; nothing is written.
        FramesError: The file cannot be written, or its format is not clear.
        ArchiveError, EvidenceError, PackageMissingError: As ``items`` raises them; nothing is written.
    """
    target = Path(path)
    chosen = find_form(target, form)
    counted = _Counted(read_batches(check_kind(kind), root, runs))
    staged = target.with_name(f".{target.name}-{os.urandom(4).hex()}")
    try:
        _WRITERS[chosen](describe_frame(kind), counted, staged)
        if not counted.rows:
            raise EmptyFrameError(
                f"the runs have no {kind}",
                got="0 rows",
                hint="`benchproof show RUN` says what a run holds; an imported run has no calls.",
            )
        staged.replace(target)
    except OSError as error:
        raise FramesError("the file cannot be written", place=str(target), got=os.strerror(error.errno or 0)) from error
    finally:
        with suppress(OSError):
            staged.unlink(missing_ok=True)
    return WrittenFrame(target, chosen, counted.rows)


class _Counted:
    """Batches, and how many rows they held."""

    def __init__(self, batches: Iterable[Rows]) -> None:
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[Rows]:
        for batch in self._batches:
            self.rows += len(batch)
            yield batch
