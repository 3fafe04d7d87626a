r"""Cluster-robust standard errors of a mean: CR0, CR1, CR2, and Satterthwaite's degrees of freedom.

A mean is the regression on an intercept alone, so the general formulas shrink to sums over clusters. With n items, G
clusters of sizes m_g, shares π_g = m_g / n, and S_g the sum of the residuals (score − mean) in cluster g:

- CR0² = Σ S_g² / n²;
- CR1² = CR0² · G / (G − 1), used with t(G − 1);
- CR2² = Σ S_g² / (1 − π_g) / n² (Bell and McCaffrey 2002): the hat matrix of cluster g is 11'/n, so I − H_gg has
  eigenvalue 1 − π_g along 1 and 1 elsewhere, and its inverse root scales S_g by (1 − π_g)^-½. Unbiased if the items
  are independent.
- Satterthwaite's df of CR2 under independent items: with p_g = (I − H) 1_g (1 − π_g)^-½ / n the variance is Σ (p_g'y)²;
  p_g'p_g = π_g / n, and p_g'p_h = −π_g π_h / (n √((1 − π_g)(1 − π_h))), so
  df = (Σ p_g'p_g)² / ΣΣ (p_g'p_h)² = 1 / (Σ π_g² + (Σ a_g)² − Σ a_g²), a_g = π_g² / (1 − π_g).

Equal clusters: CR2 is CR1 and df is G − 1. All sums are correctly rounded (``math.fsum``): the order of items and
the machine do not matter.
"""

import math
from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from benchproof.measure.clusters import sum_by_cluster
from benchproof.measure.errors import MeasureError


@dataclass(frozen=True, slots=True)
class ClusteredError:
    """Standard errors of one clustered mean. CR1, CR2 and ``satterthwaite_df`` are ``None`` with one cluster."""

    n: int
    clusters: int
    mean: float
    cr0: float
    cr1: float | None
    cr2: float | None
    satterthwaite_df: float | None
    effective_clusters: float
    """n² / Σ m_g²: the number of equal clusters that would carry as much."""


def measure_clusters(scores: Sequence[float], clusters: Sequence[Hashable]) -> ClusteredError:
    """Mean and cluster-robust standard errors of ``scores``; a standard error of one cluster is unknown, never 0."""
    sums, sizes = sum_by_cluster(scores, clusters)
    n = len(scores)
    if n == 0:
        raise MeasureError("a mean needs at least one score", got="none")
    if not all(map(math.isfinite, scores)):
        raise MeasureError("scores are finite numbers", got="a score that is not finite")
    total = math.fsum(scores)
    residuals = array("d", (_residual(own, size, total, n) for own, size in zip(sums, sizes, strict=True)))
    shares = array("d", (size / n for size in sizes))
    count = len(sizes)
    cr0 = math.sqrt(math.fsum(residual**2 for residual in residuals)) / n
    one = count < 2
    return ClusteredError(
        n=n,
        clusters=count,
        mean=total / n,
        cr0=cr0,
        cr1=None if one else cr0 * math.sqrt(count / (count - 1)),
        cr2=None if one else _cr2(residuals, shares, n),
        satterthwaite_df=None if one else satterthwaite_df(shares),
        effective_clusters=1.0 / math.fsum(share**2 for share in shares),
    )


def satterthwaite_df(shares: Sequence[float]) -> float:
    """Degrees of freedom of CR2 for clusters that hold these ``shares`` of the items; G − 1 if all are equal."""
    leverage = array("d", (share**2 / (1.0 - share) for share in shares))
    pairs = math.fsum(leverage) ** 2 - math.fsum(value**2 for value in leverage)
    return 1.0 / (math.fsum(share**2 for share in shares) + pairs)


def cr1(scores: Sequence[float], clusters: Sequence[Hashable]) -> float | None:
    """The CR1 standard error of the mean; ``None`` with one cluster."""
    return measure_clusters(scores, clusters).cr1


def cr2(scores: Sequence[float], clusters: Sequence[Hashable]) -> tuple[float, float] | None:
    """The CR2 standard error of the mean and its Satterthwaite degrees of freedom; ``None`` with one cluster."""
    error = measure_clusters(scores, clusters)
    if error.cr2 is None or error.satterthwaite_df is None:
        return None
    return error.cr2, error.satterthwaite_df


def _cr2(residuals: Sequence[float], shares: Sequence[float], n: int) -> float:
    terms = (residual**2 / (1.0 - share) for residual, share in zip(residuals, shares, strict=True))
    return math.sqrt(math.fsum(terms)) / n


def _residual(own: float, size: int, total: float, n: int) -> float:
    """Sum of score − mean over a cluster as (n S_g − m_g S) / n: exact for 0/1 scores; what rounding leaves is 0."""
    mine = n * own
    difference = mine - size * total
    return 0.0 if abs(difference) <= abs(mine) * 2.0**-51 else difference / n
