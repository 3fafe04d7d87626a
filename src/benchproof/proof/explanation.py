"""The answer to *why*, as data: each link between a printed number and its bytes, and whether it holds."""

from dataclasses import dataclass
from typing import Literal

from benchproof.analysis import Contrast
from benchproof.errors import ExitCode
from benchproof.proof.imported_trace import ImportedItemTrace
from benchproof.proof.trace import ItemTrace
from benchproof.proof.verification import RunProof, SheetCheck
from benchproof.records.run import AxisOfRun, ModelIdentity
from benchproof.records.score_sheet import SheetNumber
from benchproof.rulebook import Finding

LinkName = Literal["score sheet", "run", "axis", "items", "records", "raw"]


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the chain.

    ``place`` is a path below the archive; ``state`` is a word or two (``recomputed now: same``, ``intact``); ``note``
    says what the link holds. ``findings`` are why it does not hold.
    """

    name: LinkName
    place: str
    sha256: str | None
    state: str
    note: str
    ok: bool
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberExplanation:
    """Why one number is what it is.

    ``number`` is the ``recomputed`` one; where it could not be recomputed, the stored one, or ``None`` without any.
    ``item`` is there when it was asked for and could be read; ``item_fault`` says why it could not. ``model``, ``axis``
    and ``proof`` are ``None`` where the run's manifest cannot be read. ``left_out``: what the number follows from is
    not in the packed proof that was asked, which speaks neither for nor against it.
    """

    tag: str
    number: SheetNumber | None
    recomputed: bool
    run_id: str
    model: ModelIdentity | None
    axis: AxisOfRun | None
    proof: RunProof | None
    sheet: SheetCheck | None
    links: tuple[Link, ...]
    item: ItemTrace | ImportedItemTrace | None
    item_fault: str | None
    not_proven: tuple[str, ...]
    ok: bool
    left_out: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """0 where it holds, 1 where it does not, 4 where what it follows from was left out."""
        if self.ok:
            return ExitCode.YES
        return ExitCode.CANNOT_TELL if self.left_out and all(link.ok for link in self.links) else ExitCode.NO

    @property
    def compared_with(self) -> int:
        """References from outside the archive that the run was compared with: 0 or 1."""
        return 0 if self.proof is None else self.proof.compared_with


@dataclass(frozen=True, slots=True)
class ContrastExplanation:
    """Why two numbers differ: both explained, and the contrast of their axis; ``note`` says why there is none."""

    tag: str
    left: NumberExplanation
    right: NumberExplanation
    contrast: Contrast | None
    note: str | None
    ok: bool

    @property
    def exit_code(self) -> ExitCode:
        """0 where both hold and can be contrasted; else the worse of the two."""
        codes = {self.left.exit_code, self.right.exit_code}
        if self.ok:
            return ExitCode.YES
        return ExitCode.CANNOT_TELL if ExitCode.CANNOT_TELL in codes and ExitCode.NO not in codes else ExitCode.NO

    @property
    def compared_with(self) -> int:
        """References from outside the archive that both runs were compared with."""
        return self.left.compared_with + self.right.compared_with


Explanation = NumberExplanation | ContrastExplanation
