"""Cluster bootstrap of means: percentile and BCa, the unit being the cluster.

One set of resample counts serves every column (axis, model): a matrix product of counts and cluster sums, over a
product of counts and cluster sizes. Sharing the draws is what pairs the columns. Reproducible bit by bit from
``seed`` and ``resamples``, which travel with the result (contract-statistics, Error bars).

With few clusters percentile intervals are too narrow by about √((G − 1)/G): they stand beside ``mean_interval``, not
in its place.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from benchproof.measure.clusters import group_by_cluster
from benchproof.measure.draws import draw_counts, snap_to_grid
from benchproof.measure.errors import MeasureError
from benchproof.measure.quantiles import (
    binomial_below,
    binomial_quantile,
    check_level,
    normal_below,
    normal_quantile,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BootstrapKind = Literal["percentile", "bca"]


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """Bounds, or ``None`` with the reason in ``method``.

    ``seed`` and ``resamples`` are ``None`` where nothing was drawn: the bootstrap distribution of a 0/1 mean over
    single-item clusters is binomial, and is taken exactly.
    """

    lower: float | None
    upper: float | None
    method: str
    level: float
    clusters: int
    seed: int | None
    resamples: int | None
    flags: tuple[str, ...] = ()


def cluster_bootstrap(
    scores: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
    kind: BootstrapKind = "percentile",
) -> BootstrapInterval:
    """Bootstrap interval of the mean of ``scores``, resampling whole clusters.

    No bounds (flag ``degenerate``) where every resample would have the same mean, and with fewer than two clusters.
    """
    check_level(level)
    _check_resamples(resamples)
    if kind not in ("percentile", "bca"):
        raise MeasureError("unknown bootstrap interval", got=repr(kind), expected="percentile or bca")
    groups = group_by_cluster(scores, clusters)
    sums, sizes = [math.fsum(group) for group in groups], [len(group) for group in groups]
    reason = _degeneracy(sums, sizes)
    if reason is not None:
        return BootstrapInterval(None, None, f"no interval: {reason}", level, len(groups), None, None, ("degenerate",))
    tail = (1.0 - level) / 2.0
    if len(groups) == len(scores) and all(score in (0.0, 1.0) for score in scores):
        lower, upper = _binomial_bounds(int(sum(sums)), len(scores), tail, kind)
        name = f"{kind} bootstrap, exact binomial"
        return BootstrapInterval(lower, upper, name, level, len(groups), None, None)
    lower, upper = _drawn_bounds(sums, sizes, tail, kind, seed, resamples)
    name = f"{kind} bootstrap, B = {resamples}, seed {seed}"
    return BootstrapInterval(lower, upper, name, level, len(groups), seed, resamples)


def resample_means(
    sums: "NDArray[np.float64]", sizes: "NDArray[np.float64]", *, seed: int, resamples: int
) -> "NDArray[np.float64]":
    """Bootstrap means of several columns from the same draws: (resamples, columns).

    ``sums`` and ``sizes`` are (clusters, columns): scores and numbers of scored items of each cluster, 0 where a
    column has nothing in it. A resample that holds nothing of a column is NaN there.
    """
    import numpy as np

    _check_resamples(resamples)
    if sums.shape != sizes.shape or sums.ndim != 2 or not sums.size:
        raise MeasureError(
            "cluster sums and sizes are two tables of one shape",
            got=f"{sums.shape} and {sizes.shape}",
            expected="(clusters, columns) for both",
        )
    count = sums.shape[0]
    sums = snap_to_grid(sums, float(np.abs(sums).max()) * count)
    means = np.empty((resamples, sums.shape[1]))
    start = 0
    for counts in draw_counts(count, resamples, seed):
        held = counts @ sizes
        with np.errstate(divide="ignore", invalid="ignore"):
            means[start : start + len(counts)] = (counts @ sums) / np.where(held > 0, held, np.nan)
        start += len(counts)
    return means


def _drawn_bounds(
    sums: list[float], sizes: list[int], tail: float, kind: BootstrapKind, seed: int, resamples: int
) -> tuple[float, float]:
    import numpy as np

    column = np.array(sums, dtype=np.float64)[:, None]
    weights = np.array(sizes, dtype=np.float64)[:, None]
    means = np.sort(resample_means(column, weights, seed=seed, resamples=resamples)[:, 0])
    low, high = tail, 1.0 - tail
    if kind == "bca":
        grid = snap_to_grid(column, float(np.abs(column).max()) * len(sums))
        seen = float(grid.sum() / weights.sum())
        below = np.searchsorted(means, seen, "left") + np.searchsorted(means, seen, "right")
        low, high = _bca_tails(tail, float(below) / (2.0 * resamples), _acceleration(sums, sizes))
    lower, upper = np.quantile(means, [low, high])
    return float(lower), float(upper)


def _binomial_bounds(successes: int, n: int, tail: float, kind: BootstrapKind) -> tuple[float, float]:
    p = successes / n
    low, high = tail, 1.0 - tail
    if kind == "bca":
        below = (binomial_below(successes - 1, n, p) + binomial_below(successes, n, p)) / 2.0
        sums = [1.0] * successes + [0.0] * (n - successes)
        low, high = _bca_tails(tail, below, _acceleration(sums, [1] * n))
    return binomial_quantile(low, n, p) / n, binomial_quantile(high, n, p) / n


def _bca_tails(tail: float, below: float, acceleration: float) -> tuple[float, float]:
    """Efron's adjusted tail probabilities, from the share of resamples below the estimate and the acceleration."""
    bias = normal_quantile(below)

    def adjust(probability: float) -> float:
        shifted = bias + normal_quantile(probability)
        return normal_below(bias + shifted / (1.0 - acceleration * shifted))

    return adjust(tail), adjust(1.0 - tail)


def _acceleration(sums: Sequence[float], sizes: Sequence[int]) -> float:
    """Skewness of the leave-one-cluster-out means over 6."""
    total, n = math.fsum(sums), sum(sizes)
    left_out = [(total - one) / (n - size) for one, size in zip(sums, sizes, strict=True)]
    centre = math.fsum(left_out) / len(left_out)
    deviations = [centre - mean for mean in left_out]
    square = math.fsum(value**2 for value in deviations)
    return math.fsum(value**3 for value in deviations) / (6.0 * square**1.5) if square > 0.0 else 0.0


def _degeneracy(sums: Sequence[float], sizes: Sequence[int]) -> str | None:
    if len(sums) < 2:
        return "one cluster" if sums else "no scores"
    means = [one / size for one, size in zip(sums, sizes, strict=True)]
    return "every resample has the same mean" if min(means) == max(means) else None


def _check_resamples(resamples: int) -> None:
    if resamples < 100:
        raise MeasureError("too few resamples for an interval", got=str(resamples), expected="at least 100")
