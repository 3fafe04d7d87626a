"""What verification found, as data: a run's proof and the whole of a ``verify``.

Law kept here: the ladder ``printed → intact → recomputed → re-asked → replicated`` is reported step by step; there
is no verdict *verified*.
"""

from dataclasses import dataclass
from typing import Literal

from benchproof.archive.verification import judge_findings
from benchproof.errors import ExitCode
from benchproof.rulebook import Finding
from benchproof.scores import MovedNumber

Rung = Literal["broken", "not checked", "intact", "recomputed"]
"""``broken``: the bytes are not those sealed. ``not checked``: they could not be read, which is no verdict."""

SheetState = Literal["same", "differs", "not recomputed"]


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """One stored score sheet against the recomputation from the run's answers.

    A sheet by another version of a scorer is ``not recomputed``, which is no fault; ``note`` says which. ``moved``
    lists its numbers that come out otherwise now.
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
    lines, items and axes; ``numbers`` were recomputed from the records. Where they were not, ``numbers_note`` says
    why. ``sheets`` may be empty: a missing ``derived/`` is no fault. ``sha256`` is of the manifest, ``None`` where that
    cannot be read. ``numbers_repeated`` are those that an imported log states or scores itself, and that nothing in it
    gives again. ``compared_with`` counts references from outside the archive: 0 or 1. ``left_out`` of its
    files are not in the packed proof that it was read from.
    """

    id: str
    sha256: str | None
    rung: Rung
    synthetic: bool
    partial: bool
    files: int
    records: int
    records_recomputed: int
    numbers: int
    numbers_note: str | None
    sheets: tuple[SheetCheck, ...]
    findings: tuple[Finding, ...]
    compared_with: int = 0
    numbers_repeated: int = 0
    left_out: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against the run: no finding is an error and no stored sheet differs."""
        return self.exit_code is ExitCode.YES

    @property
    def exit_code(self) -> ExitCode:
        """0, 1 where something speaks against the run, 4 where something could not be read."""
        if any(sheet.state == "differs" for sheet in self.sheets):
            return ExitCode.NO
        return judge_findings(self.findings)


@dataclass(frozen=True, slots=True)
class Verification:
    """The proofs of all runs looked at; ``compared_with`` counts references from outside the archive (may be 0).

    ``findings`` are of the archive's folder; those of a run stand with its proof.
    """

    runs: tuple[RunProof, ...]
    findings: tuple[Finding, ...]
    compared_with: int

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against any run, nor against the archive."""
        return self.exit_code is ExitCode.YES

    @property
    def exit_code(self) -> ExitCode:
        """0, 1 where something speaks against a run or the archive, 4 where something could not be read."""
        codes = {judge_findings(self.findings), *(run.exit_code for run in self.runs)}
        return next((code for code in (ExitCode.NO, ExitCode.CANNOT_TELL) if code in codes), ExitCode.YES)
