"""How many items would decide a gate that cannot tell, and which margin its items could decide.

By the formula of ``measure.power`` with what the pairs showed: the variance of a difference and the design effect of
the clusters. Where few items flip the score test asks for more, and the larger number counts.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

from benchproof.measure import (
    Design,
    Interval,
    MeanChange,
    detectable_difference,
    grow,
    items_needed,
    lower_bound,
    p_above,
    turn_round,
)

POWER = 0.8
_MOST_TIMES = 1e6


@dataclass(frozen=True, slots=True)
class ItemsToDecide:
    """What it would take. ``None`` where no number of items that can be told would do.

    ``if_alike``: items that pass with chance ``power`` where nothing is lost in truth; the gate may have had as many.
    ``if_as_seen``: items that decide with that chance where the true change is the one that was seen, and what they
    decide then (``as_seen``).
    ``margin``: the smallest margin that the items at hand pass with that chance where nothing is lost.
    """

    if_alike: int | None
    if_as_seen: int | None
    as_seen: Literal["pass", "fail"]
    margin: float | None
    power: float = POWER


def count_items(change: MeanChange, margin: float, alpha: float) -> ItemsToDecide:
    """Items for a gate of ``margin`` at ``alpha``, given the pairs of this one."""
    as_seen: Literal["pass", "fail"] = "pass" if change.mean >= -margin else "fail"
    if not change.can_tell:
        return ItemsToDecide(None, None, as_seen, None)
    alike = _without_loss(change)
    seen, threshold = (change, -margin) if as_seen == "pass" else (turn_round(change), margin)
    return ItemsToDecide(
        if_alike=_count(alike, -margin, alpha, at_least=0),
        if_as_seen=_count(seen, threshold, alpha, at_least=change.n + 1),
        as_seen=as_seen,
        margin=_find_margin(alike, alpha),
    )


def _count(change: MeanChange, threshold: float, alpha: float, *, at_least: int) -> int | None:
    """Items that show ``change`` to be above ``threshold``."""
    distance = change.mean - threshold
    times = _find_times(change, threshold, alpha)
    if distance <= 0.0 or times is None:
        return None
    design = Design(change.variance, deff=change.deff)
    wanted = items_needed(distance, design, level=1.0 - alpha, power=POWER, sides=1)
    return math.ceil(max(wanted, change.n * times, at_least))


def _find_times(change: MeanChange, threshold: float, alpha: float) -> float | None:
    """How many times as many items the tests need where nothing but their number changes."""

    def is_shown(times: float) -> bool:
        p = p_above(grow(change, times), threshold)
        return p is not None and p <= alpha

    high = _MOST_TIMES
    if not is_shown(high):
        return None
    low = 0.0
    while high - low > 1e-6 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if is_shown(middle) else (middle, high)
    return high


def _find_margin(alike: MeanChange, alpha: float) -> float | None:
    design = Design(alike.variance, deff=alike.deff)
    bound = lower_bound(alike, alpha)
    if bound is None:
        return None
    return max(detectable_difference(alike.n, design, level=1.0 - alpha, power=POWER, sides=1), -bound)


def _without_loss(change: MeanChange) -> MeanChange:
    """The same spread about a mean of 0: as many gains as losses."""
    flips = change.flips
    if flips is not None:
        half = (flips.gains + flips.losses) / 2.0
        flips = replace(flips, gains=half, losses=half)
    interval: Interval = replace(change.interval, mean=0.0)
    return replace(change, mean=0.0, interval=interval, flips=flips)
