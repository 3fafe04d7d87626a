"""What verification found, as data: a run's proof and the whole of a ``verify``.

Law kept here: the ladder ``printed → intact → recomputed → re-asked → replicated`` is reported step by step; there
is no verdict *verified*.
"""

from dataclasses import dataclass
from typing import Literal

from benchproof.rulebook import Finding

Rung = Literal["not intact", "intact", "recomputed"]
SheetState = Literal["same", "differs", "not recomputed"]


@dataclass(frozen=True, slots=True)
class MovedNumber:
    """A stored number that the recomputation does not give."""

    tag: str
    stored: float | None
    recomputed: float | None


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """One stored score sheet against the recomputation from the run's answers.

    ``older scorer`` sheets, made by another version of a scorer, are ``not recomputed``; ``note`` says which.
    """

    place: str
    state: SheetState
    numbers: int
    moved: tuple[MovedNumber, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class RunProof:
    """What is proven of one run.

    ``files`` were compared byte by byte with the manifest; ``records_recomputed`` of ``records`` follow from raw
    lines, items and axes; ``numbers`` were recomputed from the records (0 where they could not be). ``sheets`` may be
    empty: a missing ``derived/`` is no fault.
    """

    id: str
    sha256: str
    rung: Rung
    synthetic: bool
    partial: bool
    files: int
    records: int
    records_recomputed: int
    numbers: int
    sheets: tuple[SheetCheck, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The proofs of all runs looked at; ``compared_with`` counts references from outside the archive (may be 0)."""

    runs: tuple[RunProof, ...]
    findings: tuple[Finding, ...]
    compared_with: int
    ok: bool
