"""Many comparisons at once: Holm for declared ones, Benjamini–Hochberg for exploration.

The family is one printed table (contract-statistics, Comparisons). Values are R's ``p.adjust``.
"""

from collections.abc import Sequence

from benchproof.measure.errors import MeasureError


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p-values, in the order given; they bound the chance of any false claim."""
    order = _ascending(ps)
    adjusted = [0.0] * len(ps)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = largest
    return adjusted


def bh(ps: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up adjusted p-values, in the order given; they bound the share of false claims."""
    order = _ascending(ps)
    adjusted = [0.0] * len(ps)
    smallest = 1.0
    for rank in range(len(ps) - 1, -1, -1):
        index = order[rank]
        smallest = min(smallest, len(ps) * ps[index] / (rank + 1))
        adjusted[index] = smallest
    return adjusted


def _ascending(ps: Sequence[float]) -> list[int]:
    for number, p in enumerate(ps):
        if not 0.0 <= p <= 1.0:
            raise MeasureError("a p-value lies in [0, 1]", place=f"p-value {number}", got=repr(p))
    return sorted(range(len(ps)), key=ps.__getitem__)
