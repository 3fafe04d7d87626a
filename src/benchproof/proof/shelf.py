"""Where runs and their score sheets are read from: an archive, or a packed proof; the rest of this room need not know.

Law kept here: a shelf gives what lies there and judges nothing.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from benchproof.archive import (
    ArchiveError,
    RunVerification,
    SealedRun,
    list_runs,
    load_run,
    load_sheets,
    verify_run,
)
from benchproof.archive.layout import SCORES, list_names
from benchproof.archive.names import files_of_axis, files_of_imported_axis
from benchproof.canon import digest
from benchproof.errors import BenchproofError
from benchproof.records.score_sheet import ScoreSheet
from benchproof.scores import find_number

Progress = Callable[[str, int], None]
"""Told of each file and the bytes just read."""


class StoredSheet(NamedTuple):
    """A stored score sheet; ``sheet`` is ``None`` where its bytes are not those that its name is the digest of."""

    place: str
    sheet: ScoreSheet | None


class Shelf(Protocol):
    """Runs by id, their score sheets, and what is left out of them."""

    def list_digests(self) -> dict[str, str]:
        """SHA-256 of the manifest by id, of each run whose manifest can be read."""
        ...

    def load_run(self, handle: str) -> SealedRun:
        """The run of a handle."""
        ...

    def verify_run(
        self, handle: str, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
    ) -> RunVerification:
        """Its bytes and records, compared."""
        ...

    def list_sheets(self, run_id: str) -> list[StoredSheet]:
        """Its stored score sheets, by name."""
        ...

    def list_scored(self) -> list[str]:
        """Ids of runs that have stored score sheets, there or not."""
        ...

    def find_run_of(self, tag: str) -> str:
        """The run whose number has the tag, by whatever way is left; raises ``TagError`` naming the nearest."""
        ...

    def list_left_out(self, run_id: str) -> frozenset[str]:
        """Paths of the run's files that are not here, and are said not to be."""
        ...

    def name_run(self, run_id: str) -> str:
        """The run as a command line names it."""
        ...


class ArchiveShelf:
    """An archive."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def list_digests(self) -> dict[str, str]:
        """Of every run whose manifest can be read."""
        return {one.id: one.sha256 for one in list_runs(self._root, on_damage=lambda _run_id, _error: None)}

    def load_run(self, handle: str) -> SealedRun:
        """By id, unique prefix, ``@latest`` or path."""
        return load_run(self._root, handle)

    def verify_run(
        self, handle: str, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
    ) -> RunVerification:
        """As ``archive.verify_run``."""
        return verify_run(self._root, handle, expect=expect, progress=progress)

    def list_sheets(self, run_id: str) -> list[StoredSheet]:
        """None where they cannot be read: a sheet is recomputed."""
        try:
            stored = {digest(one): one for one in load_sheets(self._root, run_id)}
            names = sorted(path.stem for path in (self._root / SCORES / run_id).glob("*.json"))
        except (BenchproofError, OSError):
            return []
        return [StoredSheet(f"{SCORES}/{run_id}/{name}.json", stored.get(name)) for name in names]

    def list_scored(self) -> list[str]:
        """Also of runs that are gone."""
        return list_names(self._root / SCORES)

    def find_run_of(self, tag: str) -> str:
        """By ``scores.find_number``."""
        return find_number(self._root, tag).run.id

    def list_left_out(self, run_id: str) -> frozenset[str]:
        """Nothing."""
        del run_id  # an archive has its runs whole
        return frozenset()

    def name_run(self, run_id: str) -> str:
        """By its id."""
        return run_id


def load_readable(shelf: Shelf, handle: str) -> SealedRun | None:
    """The run of a handle, ``None`` where its manifest cannot be read."""
    try:
        return shelf.load_run(handle)
    except ArchiveError:
        return None


def restrict_to_here(shelf: Shelf, run: SealedRun) -> SealedRun:
    """The run with the axes alone of which no file that numbers follow from was left out."""
    left_out = shelf.list_left_out(run.id)
    here = [key for key in run.axis_keys if not left_out & (files_of_axis(key) | files_of_imported_axis(key))]
    return run.restrict(here)
