"""What a contrast could have shown: the smallest difference, and the items for one of the margin.

Where no difference is shown and equality is not shown either, these say whether the items could have told at all.
Source: contract-statistics, Error bars (Miller's formula, two-sided, at Holm's strictest step of the family).
"""

import math
from dataclasses import dataclass

from benchproof.measure import Design, detectable_difference, items_needed

POWER = 0.8


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """By the spread of the pairs at hand: ``variance`` of one item's difference, ``deff`` of its clusters.

    ``difference`` is the smallest that the pairs show with chance ``power``. ``items`` show a difference of ``margin``
    with that chance, ``None`` where there is no margin.
    """

    variance: float
    deff: float
    difference: float
    margin: float | None
    items: int | None
    power: float = POWER


def find_sensitivity(
    variance: float, deff: float, n: int, *, margin: float | None, level: float, family: int
) -> Sensitivity | None:
    """What ``n`` pairs can show in a family of so many tests; ``None`` where no two differences differ."""
    if variance <= 0.0:
        return None
    design = Design(variance, deff=deff)
    step = 1.0 - (1.0 - level) / family
    needed = None if margin is None else math.ceil(items_needed(margin, design, level=step, power=POWER))
    shown = detectable_difference(n, design, level=step, power=POWER)
    return Sensitivity(variance, deff, shown, margin, needed)
