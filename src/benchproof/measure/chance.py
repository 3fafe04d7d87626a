"""Chance: what guessing gives, and a mean put on the scale where guessing is 0.

Chance is c = mean(1/k_i) over the *scored* items, not 1 / mean(k), and is applied to the mean, never to an item: for
a 0/1 item, clamping at 0 is the identity and removes nothing (contract-statistics, Aggregation).
"""

import math
from collections import Counter
from collections.abc import Iterable

from benchproof.measure.errors import MeasureError


def chance_of(ks: Iterable[int]) -> float:
    """The mean of 1/k over items with ``ks`` choices each; independent of the items' order."""
    counted = Counter(ks)
    if not counted:
        raise MeasureError("chance needs at least one scored item", got="none")
    if min(counted) < 2:
        raise MeasureError("an item to choose from has at least two choices", got=str(min(counted)), expected="≥ 2")
    return math.fsum(count / k for k, count in sorted(counted.items())) / counted.total()


def normalise_by_chance(mean: float, chance: float) -> float:
    """(mean − chance) / (1 − chance): 0 at chance, 1 at the top, negative below chance and kept so."""
    if not 0.0 <= chance < 1.0:
        raise MeasureError("chance is at least 0 and below 1", got=repr(chance))
    return (mean - chance) / (1.0 - chance)


def chance_normalised(mean: float, ks: Iterable[int]) -> float:
    """``mean`` on the scale where guessing among ``ks`` choices is 0. Its standard error scales by 1 / (1 − c)."""
    return normalise_by_chance(mean, chance_of(ks))
