"""How many items a comparison needs, and what difference a number of items can show.

n = (z_{α/2} + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ², times the design effect of clusters (Miller 2024,
arXiv 2411.00640; contract-statistics, Error bars). One-sided tests, as of a loss within a margin, take z_α for
z_{α/2}; the difference to be shown is then the distance of the true one from the margin.
"""

import math
from dataclasses import dataclass
from typing import Literal

from benchproof.measure.errors import MeasureError
from benchproof.measure.quantiles import check_level, normal_quantile


@dataclass(frozen=True, slots=True)
class Design:
    """A paired comparison: ``item_variance`` ω² of the items' true differences, and sampling variances.

    ``variance_a`` and ``variance_b`` are σ² of one answer to an item, averaged over ``repeats`` answers each;
    ``deff`` is the design effect of clusters, 1 where items are independent.
    """

    item_variance: float
    variance_a: float = 0.0
    variance_b: float = 0.0
    repeats_a: int = 1
    repeats_b: int = 1
    deff: float = 1.0

    def variance(self) -> float:
        """Variance that one item adds to the difference."""
        if self.repeats_a < 1 or self.repeats_b < 1:
            raise MeasureError("an item is answered at least once", got=f"{self.repeats_a} and {self.repeats_b}")
        if min(self.item_variance, self.variance_a, self.variance_b) < 0.0 or self.deff <= 0.0:
            raise MeasureError("variances are at least 0 and the design effect is above 0", got=repr(self))
        sampling = self.variance_a / self.repeats_a + self.variance_b / self.repeats_b
        return self.deff * (self.item_variance + sampling)


def design_effect(se: float | None, variance: float, n: int) -> float:
    """How many clustered items are worth one independent one: SE² · n / ``variance``, at least 1.

    ``se`` is the clustered standard error of the mean of ``n`` items; without one nothing is known, and it is 1.
    """
    return 1.0 if se is None or variance <= 0.0 else max(1.0, se**2 * n / variance)


def items_needed(
    difference: float, design: Design, *, level: float = 0.95, power: float = 0.8, sides: Literal[1, 2] = 2
) -> float:
    """Items (not rounded up) that show ``difference`` with chance ``power`` in a test at 1 − ``level``."""
    if difference == 0.0:
        raise MeasureError("no number of items shows a difference of 0", got="0", expected="the difference to detect")
    return _z_sum(level, power, sides) ** 2 * design.variance() / difference**2


def detectable_difference(
    items: float, design: Design, *, level: float = 0.95, power: float = 0.8, sides: Literal[1, 2] = 2
) -> float:
    """The smallest difference that ``items`` items show with chance ``power``."""
    if items <= 0:
        raise MeasureError("a comparison needs items", got=repr(items), expected="above 0")
    return _z_sum(level, power, sides) * math.sqrt(design.variance() / items)


def _z_sum(level: float, power: float, sides: Literal[1, 2]) -> float:
    check_level(level)
    check_level(power)
    return normal_quantile(1.0 - (1.0 - level) / sides) + normal_quantile(power)
