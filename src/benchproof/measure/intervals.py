"""The one policy for error bars of a mean (contract-statistics, Error bars).

- fewer than two clusters: no interval, never one of zero width;
- a 0/1 mean where every cluster is one item: Wilson;
- from 40 clusters: CR1 with t(G − 1); below, CR2 with Satterthwaite's df, and CR1 beside it in ``also``;
- a clustered 0/1 mean whose t interval leaves [0, 1]: Wilson with n / deff, deff = SE² · n / (p(1 − p)), at least 1;
- no spread between clusters: a t interval would have zero width, so a 0/1 mean gets Wilson with the effective number
  of clusters, and any other mean gets none; flagged ``degenerate`` and said in the method.

No interval is clipped. One of a score that is not 0/1 may leave [0, 1]; then it is flagged ``beyond_range``.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchproof.measure.errors import MeasureError
from benchproof.measure.flags import (
    s001_few_clusters,
    s002_low_ci,
    s003_degenerate,
    s004_no_interval,
    s005_beyond_range,
)
from benchproof.measure.proportions import wilson
from benchproof.measure.quantiles import check_level, student_quantile
from benchproof.measure.sandwich import ClusteredError, measure_clusters

MANY_CLUSTERS = 40


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval with its method in words; bounds are ``None`` where none can be given.

    ``se`` and ``df`` are those of the t interval behind it, ``None`` for a method that has none. ``also`` holds
    intervals by other methods as ``{"method", "interval"}``.
    """

    lower: float | None
    upper: float | None
    method: str
    level: float
    clusters: int
    flags: tuple[str, ...] = ()
    also: tuple[dict[str, Any], ...] = ()
    n: int = 0
    mean: float | None = None
    se: float | None = None
    df: float | None = None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lower and upper bound, or ``None``."""
        if self.lower is None or self.upper is None:
            return None
        return self.lower, self.upper


def mean_interval(scores: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95) -> Interval:
    """The headline interval of the mean of ``scores`` in [0, 1], item i being in ``clusters[i]``.

    No scores at all give an interval without bounds. Flags: see ``flag_interval``.
    """
    check_level(level)
    if not scores:
        return flag_interval(Interval(None, None, "no interval: no scores", level, 0))
    if min(scores) < 0.0 or max(scores) > 1.0:
        raise MeasureError("scores lie in [0, 1]", got=f"{min(scores)} to {max(scores)}")
    error = measure_clusters(scores, clusters)
    is_binary = all(score in (0.0, 1.0) for score in scores)
    if s004_no_interval(error.clusters):
        return flag_interval(difference_interval(scores, clusters, level))
    if is_binary and error.clusters == error.n:
        bounds = wilson(math.fsum(scores), error.n, level)
        return flag_interval(_named(bounds, "Wilson", level, error))
    chosen = difference_interval(scores, clusters, level)
    if not is_binary:
        return flag_interval(chosen, beyond=s005_beyond_range(chosen.bounds))
    if chosen.bounds is None:
        return flag_interval(_binary_without_spread(error, level))
    if s005_beyond_range(chosen.bounds):
        return flag_interval(_wilson_with_deff(chosen, error, level))
    return flag_interval(chosen)


def score_interval(scores: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95) -> Interval:
    """The interval of the mean of scores that are no fractions, such as a Brier score: t, in the score's own unit.

    A width is not judged: ``low_ci`` is said of few clusters alone.
    """
    check_level(level)
    if not scores:
        return Interval(None, None, "no interval: no scores", level, 0, ("few_clusters", "low_ci"))
    interval = difference_interval(scores, clusters, level)
    flags = {"few_clusters", "low_ci"} if s001_few_clusters(interval.clusters) else set[str]()
    return replace(interval, flags=tuple(sorted({*interval.flags, *flags})))


def difference_interval(
    scores: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95, *, noun: str = "scores"
) -> Interval:
    """The t interval of a mean of any range, as of paired differences: CR1 from 40 clusters, CR2 below.

    Its only flag is ``degenerate``. ``noun`` is what the method calls the values.
    """
    check_level(level)
    error = measure_clusters(scores, clusters)
    if error.cr1 is None or error.cr2 is None or error.satterthwaite_df is None:
        return _named(None, "no interval: one cluster", level, error)
    if s003_degenerate(error.cr0):
        reason = f"all {noun} equal" if min(scores) == max(scores) else "all clusters have the same mean"
        return _named(None, f"no interval: {reason}", level, error, ("degenerate",))
    first = _student("CR1", error, error.cr1, error.clusters - 1, level)
    if error.clusters >= MANY_CLUSTERS:
        return first
    beside = {"method": first.method, "interval": [first.lower, first.upper]}
    return _student("CR2", error, error.cr2, error.satterthwaite_df, level, (beside,))


def flag_interval(interval: Interval, *, beyond: bool = False) -> Interval:
    """``interval`` with the flags that a reader must see.

    ``few_clusters`` and ``low_ci`` are decided here (``flags``); ``beyond`` adds ``beyond_range``.
    """
    flags = set(interval.flags)
    if s001_few_clusters(interval.clusters):
        flags.add("few_clusters")
    if s002_low_ci(interval.bounds, interval.clusters):
        flags.add("low_ci")
    if beyond:
        flags.add("beyond_range")
    return replace(interval, flags=tuple(sorted(flags)))


def _student(
    name: str, error: ClusteredError, se: float, df: float, level: float, also: tuple[dict[str, Any], ...] = ()
) -> Interval:
    half = student_quantile(0.5 + level / 2.0, df) * se
    bounds = (error.mean - half, error.mean + half)
    return replace(_named(bounds, f"{name}, t({_number(df)})", level, error), also=also, se=se, df=df)


def _binary_without_spread(error: ClusteredError, level: float) -> Interval:
    """Wilson on the effective number of clusters, as if the items of a cluster were copies of one another."""
    size = error.effective_clusters
    method = f"Wilson, n = {_number(size)} effective clusters (no spread between clusters)"
    return _named(wilson(error.mean * size, size, level), method, level, error, ("degenerate",))


def _wilson_with_deff(chosen: Interval, error: ClusteredError, level: float) -> Interval:
    """Wilson on n / deff (Korn and Graubard); the t intervals that left [0, 1] stay in ``also``."""
    if chosen.se is None:
        raise AssertionError("a t interval has a standard error")
    variance = error.mean * (1.0 - error.mean) / error.n
    deff = max(1.0, chosen.se**2 / variance)
    size = error.n / deff
    method = f"Wilson, n/deff = {error.n}/{_number(deff)} ({chosen.method} leaves [0, 1])"
    beside = ({"method": chosen.method, "interval": [chosen.lower, chosen.upper]}, *chosen.also)
    bounds = wilson(error.mean * size, size, level)
    return replace(_named(bounds, method, level, error), also=beside, se=chosen.se, df=chosen.df)


def _named(
    bounds: tuple[float, float] | None,
    method: str,
    level: float,
    error: ClusteredError,
    flags: tuple[str, ...] = (),
) -> Interval:
    lower, upper = bounds or (None, None)
    return Interval(lower, upper, method, level, error.clusters, flags, n=error.n, mean=error.mean)


def _number(value: float) -> str:
    """A count or degrees of freedom to two decimals, without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
