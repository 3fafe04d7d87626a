"""Several answers to one item: pass@k, pass^k, and the mean inside the item.

k repeats of an item are averaged inside the item first; they are never pooled as n·k independent answers
(contract-statistics, Error bars).
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from benchproof.measure.errors import MeasureError


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate that at least one of ``k`` answers is right, from ``c`` right ones of ``n``.

    1 − C(n−c, k) / C(n, k), in exact arithmetic (Chen et al. 2021; human-eval ``estimate_pass_at_k``).
    """
    _check_counts(n, c, k)
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate that all of ``k`` answers are right: C(c, k) / C(n, k) (pass^k of tau-bench)."""
    _check_counts(n, c, k)
    return float(Fraction(math.comb(c, k), math.comb(n, k)))


def average_repeats(scores: Sequence[float]) -> float:
    """The mean of one item's repeats, correctly rounded."""
    if not scores:
        raise MeasureError("an item without an answer has no score", got="no repeats", expected="at least one")
    return math.fsum(scores) / len(scores)


def _check_counts(n: int, c: int, k: int) -> None:
    if n < 1 or not 0 <= c <= n:
        raise MeasureError("c right answers of n", got=f"n={n}, c={c}", expected="n ≥ 1 and 0 ≤ c ≤ n")
    if not 1 <= k <= n:
        raise MeasureError(
            "k answers cannot be drawn from n without repeating one",
            got=f"n={n}, k={k}",
            expected="1 ≤ k ≤ n",
            hint="Ask each item at least k times, or lower k.",
        )
