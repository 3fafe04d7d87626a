"""Paired comparisons of two models on the same items (contract-statistics, Comparisons).

McNemar's test ignores clusters: where items share passages the cluster sign-flip and the clustered interval of the
difference are the headline. "Not significant" is not "equal": TOST stands beside it.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from benchproof.measure.clusters import group_by_cluster
from benchproof.measure.draws import draw_signs, list_signs, snap_to_grid
from benchproof.measure.errors import MeasureError
from benchproof.measure.intervals import Interval, difference_interval, flag_interval
from benchproof.measure.power import design_effect
from benchproof.measure.quantiles import check_level, student_above, student_quantile

MOST_FLIPS = 100_000
"""Sign patterns that are enumerated; beyond, they are sampled."""


@dataclass(frozen=True, slots=True)
class SignFlip:
    """A sign-flip test of a mean difference of 0: two-sided ``p``, never 0.

    ``patterns`` sign patterns were enumerated (``exact``) or drawn from ``seed``.
    """

    p: float
    difference: float
    clusters: int
    patterns: int
    exact: bool
    seed: int | None


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of A − B over ``n`` shared items with its clustered interval.

    ``cohen_dz`` is the mean over the standard deviation of the differences, ``None`` where that is 0. ``deff`` is the
    design effect of the clusters on the differences, at least 1.
    """

    difference: float
    mean_a: float
    mean_b: float
    n: int
    interval: Interval
    sd: float
    cohen_dz: float | None
    deff: float


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided tests of |difference| < ``margin``; ``p`` is the larger of theirs.

    ``equivalent`` is whether p ≤ ``alpha``, ``None`` (with ``reason``) where there is no standard error.
    ``interval`` has level 1 − 2·alpha: it lies inside ±margin exactly when the tests reject.
    """

    margin: float
    alpha: float
    p: float | None
    equivalent: bool | None
    interval: tuple[float, float] | None
    reason: str | None = None


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided exact binomial p of ``b`` against ``c`` discordant pairs; 1 where there are none."""
    tail, _, total = _discordant_tail(b, c)
    return min(1.0, 2 * tail / total)


def mcnemar_mid_p(b: int, c: int) -> float:
    """The mid-p of McNemar's test: the observed split counts half."""
    tail, point, total = _discordant_tail(b, c)
    return min(1.0, (2 * tail - point) / total) if b + c else 1.0


def cluster_sign_flip(
    differences: Sequence[float], clusters: Sequence[Hashable], *, seed: int = 0, resamples: int = 10_000
) -> SignFlip:
    """Test a mean difference of 0 by flipping the signs of whole clusters' sums.

    All 2^G patterns where they are at most 100,000, G counting clusters whose sum is not 0 (flipping 0 changes
    nothing); else ``resamples`` drawn ones, p = (1 + hits) / (1 + resamples). A hit is a pattern whose absolute sum
    is at least the observed one.
    """
    import numpy as np

    groups = group_by_cluster(differences, clusters)
    if not groups:
        raise MeasureError("a test needs at least one difference", got="none")
    sums = np.array([math.fsum(group) for group in groups])
    size = float(np.abs(sums).sum())
    snapped = snap_to_grid(sums, size)
    moved = snapped[snapped != 0.0]
    # What the grid and the rounded sums can make of two patterns that are equal on paper.
    observed = abs(float(snapped.sum())) - size * 2.0**-44
    mean = math.fsum(differences) / len(differences)
    count = len(moved)
    if 2**count <= MOST_FLIPS:
        hits = int((np.abs(list_signs(count) @ moved) >= observed).sum())
        return SignFlip(hits / 2**count, mean, len(groups), 2**count, True, None)
    hits = sum(int((np.abs(signs @ moved) >= observed).sum()) for signs in draw_signs(count, resamples, seed))
    return SignFlip((1 + hits) / (1 + resamples), mean, len(groups), resamples, False, seed)


def paired_difference(
    a: Sequence[float], b: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95
) -> PairedDifference:
    """Mean of a − b over items in the same order, item i being in ``clusters[i]``."""
    if len(a) != len(b):
        raise MeasureError("a paired comparison needs the same items", got=f"{len(a)} and {len(b)} scores")
    differences = [one - other for one, other in zip(a, b, strict=True)]
    interval = flag_interval(difference_interval(differences, clusters, level, noun="differences"))
    n = len(differences)
    mean = math.fsum(differences) / n
    sd = math.sqrt(math.fsum((value - mean) ** 2 for value in differences) / (n - 1)) if n > 1 else 0.0
    return PairedDifference(
        difference=mean,
        mean_a=math.fsum(a) / n,
        mean_b=math.fsum(b) / n,
        n=n,
        interval=interval,
        sd=sd,
        cohen_dz=None if min(differences) == max(differences) else mean / sd,
        deff=design_effect(interval.se, sd**2, n),
    )


def tost(difference: float, se: float | None, df: float | None, margin: float, *, alpha: float = 0.05) -> Equivalence:
    """Equivalence within ``margin``: the difference is above −margin, and it is below margin.

    ``se`` and ``df`` are those of the clustered interval (``interval.se``, ``interval.df``); without them nothing is
    shown, and equal answers on every item do not show equality.
    """
    check_level(alpha)
    if margin <= 0.0:
        raise MeasureError("an equivalence margin is above 0", got=repr(margin))
    if se is None or df is None or se <= 0.0:
        return Equivalence(margin, alpha, None, None, None, "no standard error")
    above = student_above((difference + margin) / se, df)
    below = student_above((margin - difference) / se, df)
    p = max(above, below)
    half = student_quantile(1.0 - alpha, df) * se
    return Equivalence(margin, alpha, p, p <= alpha, (difference - half, difference + half))


def _discordant_tail(b: int, c: int) -> tuple[int, int, int]:
    """Σ C(n, i) for i ≤ min(b, c), the last of its terms, and 2^n, as whole numbers; n = b + c."""
    if b < 0 or c < 0:
        raise MeasureError("counts of discordant pairs are not negative", got=f"{b} and {c}")
    n = b + c
    point = tail = 1
    for i in range(min(b, c)):
        point = point * (n - i) // (i + 1)
        tail += point
    return tail, point, 2**n
