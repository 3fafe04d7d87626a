"""What a gate found, as data: a verdict an axis, and one over all of them."""

from dataclasses import dataclass, field
from typing import Literal

from benchproof.analysis.contrast_parts import Side
from benchproof.analysis.gate_power import ItemsToDecide
from benchproof.analysis.pairing import Unpaired
from benchproof.results import KeyDifference

Verdict = Literal["pass", "fail", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Shown:
    """One side of a gate: its bound at ``level`` (that of its step in Holm's procedure), p, and p adjusted.

    The bound is beyond the margin exactly where ``p_holm`` ≤ 1 − the gate's level.
    """

    bound: float
    level: float
    p: float
    p_holm: float


@dataclass(frozen=True, slots=True)
class AxisGate:
    """The verdict on one axis in one language.

    ``change`` is candidate − reference over ``n`` pairs in the metric's unit, turned round where lower is better, so
    that below 0 is worse. ``above`` speaks for a pass, ``below`` for a fail; both are ``None`` where nothing can be
    tested. ``reasons`` say why nothing can be told. ``differences`` are from the reference to the candidate.
    """

    axis: str
    language: str
    benchmark: str
    metric: str
    unit: str
    tag: str
    verdict: Verdict
    reasons: tuple[str, ...]
    differences: tuple[KeyDifference, ...]
    blocked_by: tuple[str, ...] = ()
    lower_is_better: bool = False
    n: int = 0
    planned: int = 0
    missing: int = 0
    unpaired: Unpaired = field(default_factory=Unpaired)
    clusters: int = 0
    mean_reference: float | None = None
    mean_candidate: float | None = None
    change: float | None = None
    gains: int | None = None
    losses: int | None = None
    above: Shown | None = None
    below: Shown | None = None
    method: str = "no interval: no pairs"
    flags: tuple[str, ...] = ()
    items: ItemsToDecide | None = None

    @property
    def axis_key(self) -> str:
        """``<axis>.<language>``."""
        return f"{self.axis}.{self.language}"

    @property
    def is_worse(self) -> bool:
        """Whether a loss is shown, though it may be within the margin."""
        return self.below is not None and self.below.bound < 0.0


@dataclass(frozen=True, slots=True)
class Gate:
    """A candidate against a reference; ``not_gated`` are axes of the candidate that the reference has not."""

    candidate: Side
    reference: Side
    axes: tuple[AxisGate, ...]
    margin: float
    level: float
    allowed: tuple[str, ...]
    not_gated: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """Fail where any axis fails, pass where all pass."""
        verdicts = {axis.verdict for axis in self.axes}
        if "fail" in verdicts:
            return "fail"
        return "pass" if verdicts == {"pass"} else "cannot tell"

    @property
    def is_same_model(self) -> bool:
        """Whether both runs asked the same model."""
        return self.candidate.model_id == self.reference.model_id
