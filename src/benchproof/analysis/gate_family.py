"""The axes of a gate as one family of tests (Holm), with the size that each test was held against."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchproof.measure import holm


@dataclass(frozen=True, slots=True)
class Step:
    """One p of a family, adjusted, with the size of the test at its step, and whether it is shown there."""

    p: float
    p_holm: float
    alpha: float
    is_shown: bool


def show_family(ps: Sequence[float], level: float) -> list[Step]:
    """Holm's steps: the k-th smallest of m p-values is held against (1 − level) / (m − k + 1), until one is above it.

    From there on the size stays that of the first that is not shown, so that a bound at 1 − size is beyond the margin
    exactly where the step shows it.
    """
    alpha = 1.0 - level
    adjusted = holm(ps)
    steps: dict[int, Step] = {}
    size = alpha / max(1, len(ps))
    stopped = False
    for rank, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        if not stopped:
            size = alpha / (len(ps) - rank)
            stopped = ps[index] > size
        steps[index] = Step(ps[index], adjusted[index], size, not stopped)
    return [steps[index] for index in range(len(ps))]
