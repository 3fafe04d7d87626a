"""Quantiles and tails of the normal, Student, beta and binomial distributions.

The normal ones are the standard library's; the others load ``scipy.special`` when first used, never ``scipy.stats``
(which alone takes a second).
"""

import math

from benchproof.measure.errors import MeasureError


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1); 95 is meant as .95."""
    if not 0.0 < level < 1.0:
        raise MeasureError(
            "a confidence level lies between 0 and 1", got=repr(level), expected="for example 0.95 for 95 %"
        )


def normal_quantile(probability: float) -> float:
    """The standard normal value below which ``probability`` lies; -inf and inf at 0 and 1."""
    from statistics import NormalDist

    if probability <= 0.0:
        return -math.inf
    if probability >= 1.0:
        return math.inf
    return NormalDist().inv_cdf(probability)


def normal_below(value: float) -> float:
    """P(Z ≤ value) of a standard normal Z."""
    return 0.5 * math.erfc(-value / math.sqrt(2.0))


def student_quantile(probability: float, df: float) -> float:
    """The value below which ``probability`` of Student's t with ``df`` (also fractional) degrees of freedom lies.

    One Newton step on the distribution function follows the library's own search, whose last digits have changed
    between its versions: sheets promise 12.
    """
    from scipy.special import stdtr, stdtrit

    found = float(stdtrit(df, probability))
    if not math.isfinite(found):
        return found
    scale = math.lgamma((df + 1.0) / 2.0) - math.lgamma(df / 2.0) - 0.5 * math.log(math.pi * df)
    density = math.exp(scale - (df + 1.0) / 2.0 * math.log1p(found * found / df))
    return found - (float(stdtr(df, found)) - probability) / density


def student_above(value: float, df: float) -> float:
    """P(T > value) of Student's t with ``df`` degrees of freedom."""
    from scipy.special import stdtr

    return float(stdtr(df, -value))


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The value below which ``probability`` of the beta distribution (``a``, ``b``) lies."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, probability))


def binomial_below(k: int, n: int, p: float) -> float:
    """P(X ≤ k) of a binomial count X of ``n`` trials with chance ``p``."""
    from scipy.special import bdtr

    if k < 0:
        return 0.0
    return 1.0 if k >= n else float(bdtr(k, n, p))


def binomial_quantile(probability: float, n: int, p: float) -> int:
    """The smallest k with P(X ≤ k) ≥ ``probability`` for a binomial count of ``n`` trials with chance ``p``."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if binomial_below(middle, n, p) >= probability:
            high = middle
        else:
            low = middle + 1
    return low
