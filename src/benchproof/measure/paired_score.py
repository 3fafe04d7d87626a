"""Tango's score statistic for the difference of two paired proportions.

A t interval of a paired difference is too sure of itself where few items flip: its standard error is taken from those
few, and is 0 where there are none. The score statistic takes the variance that the tested difference itself implies
(Tango 1998, Statistics in Medicine 17, 891–908), so it holds for few flips and for none.
"""

import math

from benchproof.measure.errors import MeasureError


def paired_score(gains: float, losses: float, n: float, difference: float) -> float:
    """Standard normal where the true difference is ``difference``; large where gains − losses speak for more.

    Args:
        gains: Pairs of which only the first is right.
        losses: Pairs of which only the second is right.
        n: All pairs. The three may be fractions: counts divided by a design effect.
        difference: Strictly between −1 and 1.
    """
    if min(gains, losses) < 0.0 or gains + losses > n * (1.0 + 1e-9) or n <= 0.0:
        raise MeasureError("flips are part of the pairs", got=f"{gains:g} and {losses:g} of {n:g}")
    if not -1.0 < difference < 1.0:
        raise MeasureError("a difference of proportions lies between −1 and 1", got=repr(difference))
    excess = gains - losses - n * difference
    variance = n * (2.0 * _loss_rate(gains, losses, n, difference) + difference * (1.0 - difference))
    if variance <= 0.0:
        return math.copysign(math.inf, excess) if excess else 0.0
    return excess / math.sqrt(variance)


def _loss_rate(gains: float, losses: float, n: float, difference: float) -> float:
    """The most likely rate of losses where gains exceed losses by ``difference``: the larger root of Tango's (12)."""
    linear = -gains - losses + (2.0 * n - gains + losses) * difference
    rest = 8.0 * n * losses * difference * (1.0 - difference)
    # Not the square of a sum that may be so small that its square is 0.
    root = math.hypot(linear, math.sqrt(rest)) if rest >= 0.0 else math.sqrt(max(0.0, linear * linear + rest))
    return (root - linear) / (4.0 * n)
