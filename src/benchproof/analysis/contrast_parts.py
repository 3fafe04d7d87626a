"""What contrasts and gates are made of, and what a contrast found, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchproof.analysis.contrast_power import Sensitivity
from benchproof.analysis.pairing import ScoredItem, Unpaired
from benchproof.measure import Equivalence
from benchproof.results import KeyDifference, Standing


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    run: str
    sha256: str
    model: str
    model_id: str
    synthetic: bool
    sealed_at: str


@dataclass(frozen=True, slots=True)
class ScoredAxis:
    """One axis of a run in one language: where it stands, its headline number's tag, a score an item."""

    standing: Standing
    axis: str
    unit: str
    tag: str
    items: Sequence[ScoredItem]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with the scores of its axes, by axis key."""

    side: Side
    axes: Mapping[str, ScoredAxis]


@dataclass(frozen=True, slots=True)
class Flip:
    """An item that one run has right and the other wrong; the texts are what was answered and what is right."""

    item_id: str
    right_in: str
    answer_a: str | None = None
    answer_b: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class SignTest:
    """The sign-flip test: p, whether all patterns were enumerated, how many, and the seed where they were drawn."""

    p: float
    exact: bool
    patterns: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class AxisContrast:
    """A − B on one axis in one language, in the metric's unit, over ``n`` pairs.

    Everything behind ``clusters`` is ``None`` where there is no pair. ``mcnemar_p`` and ``flips`` are there for 0/1
    scores alone. ``p_holm`` is adjusted over the contrast, and ``sensitivity`` is that of its strictest test.
    """

    axis: str
    language: str
    benchmark: str
    metric: str
    unit: str
    tag: str
    differences: tuple[KeyDifference, ...]
    n: int
    planned_a: int
    planned_b: int
    unpaired: Unpaired
    clusters: int
    mean_a: float | None = None
    mean_b: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    level: float = 0.95
    method: str = "no interval: no pairs"
    also: tuple[dict[str, Any], ...] = ()
    flags: tuple[str, ...] = ()
    test: SignTest | None = None
    p_holm: float | None = None
    mcnemar_p: float | None = None
    cohen_dz: float | None = None
    equivalence: Equivalence | None = None
    sensitivity: Sensitivity | None = None
    flips: tuple[Flip, ...] | None = None

    @property
    def axis_key(self) -> str:
        """``<axis>.<language>``."""
        return f"{self.axis}.{self.language}"

    @property
    def is_significant(self) -> bool:
        """Whether a difference is shown: the adjusted p is at most 1 − level."""
        return self.p_holm is not None and self.p_holm <= 1.0 - self.level

    def count_flips(self, side: str) -> int:
        """How many items only one side (``A`` or ``B``) has right."""
        return sum(flip.right_in == side for flip in self.flips or ())


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two runs, axis by axis.

    ``apart``: axes of one name that measure different benchmark versions or metrics, in words. ``only_a``, ``only_b``:
    axis keys that one run has alone.
    """

    left: Side
    right: Side
    axes: tuple[AxisContrast, ...]
    level: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    apart: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """Whether no key of any axis differs, so that a difference is the model's."""
        return not any(axis.differences for axis in self.axes)

    @property
    def is_same_model(self) -> bool:
        """Whether both runs asked the same model."""
        return self.left.model_id == self.right.model_id
