"""Intervals of one proportion of independent items: Wilson, Clopper–Pearson, Jeffreys. Never Wald.

Checked against statsmodels and R.
"""

import math

from benchproof.measure.errors import MeasureError
from benchproof.measure.quantiles import beta_quantile, check_level, normal_quantile


def wilson(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of ``successes`` of ``n``; both may be fractional, as an effective n is."""
    _check_proportion(successes, n, level)
    z = normal_quantile(0.5 + level / 2.0)
    p = successes / n
    shrink = 1.0 + z * z / n
    centre = (p + z * z / (2.0 * n)) / shrink
    half = z / shrink * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    lower = 0.0 if successes == 0 else centre - half
    upper = 1.0 if successes == n else centre + half
    return lower, upper


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The "exact" interval from beta quantiles: covers at least ``level`` for every true proportion."""
    _check_proportion(successes, n, level)
    tail = (1.0 - level) / 2.0
    lower = 0.0 if successes == 0 else beta_quantile(tail, successes, n - successes + 1)
    upper = 1.0 if successes == n else beta_quantile(1.0 - tail, successes + 1, n - successes)
    return lower, upper


def jeffreys(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Equal-tailed quantiles of Beta(k + ½, n − k + ½).

    At 0 of n and n of n the outer bound is left at its quantile, as statsmodels does; Brown, Cai and DasGupta would
    set it to 0 or 1.
    """
    _check_proportion(successes, n, level)
    tail = (1.0 - level) / 2.0
    a, b = successes + 0.5, n - successes + 0.5
    return beta_quantile(tail, a, b), beta_quantile(1.0 - tail, a, b)


def _check_proportion(successes: float, n: float, level: float) -> None:
    check_level(level)
    if not (n > 0 and 0 <= successes <= n):
        raise MeasureError("a proportion is k of n", got=f"{successes} of {n}", expected="n above 0 and 0 ≤ k ≤ n")
