"""One-sided tests and bounds of a mean paired difference, as a gate needs (contract-proof, gate).

The test is that of the clustered t interval: P(T > (mean − threshold) / SE). Where the scores are right or wrong,
Tango's score test with n / deff must agree, and the larger p counts: with few flips the t test alone claims too much
(``paired_score``). Where all clusters have the same mean there is no SE, and the score test stands alone on the
effective number of clusters, as in ``intervals``.

Laws: p falls as the threshold falls; the two sides of one threshold are never both shown; fewer than two clusters
show nothing.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

from benchproof.measure.intervals import Interval, difference_interval, flag_interval
from benchproof.measure.paired_score import paired_score
from benchproof.measure.power import design_effect
from benchproof.measure.quantiles import check_level, normal_below, student_above
from benchproof.measure.sandwich import measure_clusters

_EXACT_ENOUGH = 1e-9
_MOST = 1.0 - 1e-9
_SIGNS = frozenset({-1.0, 0.0, 1.0})


@dataclass(frozen=True, slots=True)
class Flips:
    """Right-or-wrong pairs: gains and losses, of ``size`` independent pairs that n clustered ones are worth.

    ``df``: of the design effect behind ``size``, ``None`` where none was estimated.
    """

    gains: float
    losses: float
    size: float
    df: float | None


@dataclass(frozen=True, slots=True)
class MeanChange:
    """A mean paired difference with all that its one-sided tests need.

    ``variance`` is that of one item's difference, ``deff`` the design effect of the clusters on their mean, at least 1.
    ``se`` and ``df`` are ``None`` where clusters have no spread; ``flips`` where scores are not right or wrong.
    """

    mean: float
    n: int
    interval: Interval
    variance: float
    deff: float
    flips: Flips | None

    @property
    def se(self) -> float | None:
        """Standard error of the mean."""
        return self.interval.se

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the standard error."""
        return self.interval.df

    @property
    def can_tell(self) -> bool:
        """Whether there is any test: two clusters, and a spread between them or right-or-wrong scores."""
        return self.interval.clusters > 1 and (self.se is not None or self.flips is not None)


def measure_change(
    differences: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95, *, are_bounded: bool = True
) -> MeanChange:
    """Mean of ``differences``, item i being in ``clusters[i]``.

    ``level`` is of the two-sided interval beside it. ``are_bounded``: the scores lie in [0, 1], so that differences of
    1, 0 and −1 alone are flips.
    """
    error = measure_clusters(differences, clusters)
    interval = flag_interval(difference_interval(differences, clusters, level, noun="differences"))
    n = error.n
    variance = math.fsum((value - error.mean) ** 2 for value in differences) / (n - 1) if n > 1 else 0.0
    deff = design_effect(interval.se, variance, n)
    change = MeanChange(error.mean, n, interval, variance, deff, None)
    if not are_bounded or not _SIGNS.issuperset(differences):
        return change
    if interval.se is None:
        size, df = error.effective_clusters, None
    else:
        size, df = n / deff, None if error.clusters == n else interval.df
    share = size / n
    gains, losses = (sum(value == sign for value in differences) * share for sign in (1.0, -1.0))
    return replace(change, flips=Flips(gains, losses, size, df))


def p_above(change: MeanChange, threshold: float) -> float | None:
    """One-sided p that the mean is above ``threshold``; ``None`` where nothing can be tested."""
    if not change.can_tell:
        return None
    ps = []
    if change.se is not None and change.df is not None:
        ps.append(student_above((change.mean - threshold) / change.se, change.df))
    if change.flips is not None:
        ps.append(_score_p(change.flips, threshold))
    return max(ps)


def p_below(change: MeanChange, threshold: float) -> float | None:
    """One-sided p that the mean is below ``threshold``."""
    return p_above(turn_round(change), -threshold)


def lower_bound(change: MeanChange, alpha: float) -> float | None:
    """The largest value that the mean is shown to be above at ``alpha``; ``None`` where nothing can be tested."""
    check_level(alpha)
    if not change.can_tell:
        return None
    span = max(2.0, abs(change.mean) + 60.0 * (change.se or 0.0))

    def is_shown(threshold: float) -> bool:
        p = p_above(change, threshold)
        return p is not None and p <= alpha

    return _find_edge(is_shown, -span, span)


def upper_bound(change: MeanChange, alpha: float) -> float | None:
    """The smallest value that the mean is shown to be below at ``alpha``."""
    bound = lower_bound(turn_round(change), alpha)
    return None if bound is None else -bound


def turn_round(change: MeanChange) -> MeanChange:
    """The same of the negated differences; the interval beside it is left as it is, but for its mean."""
    flips = change.flips
    turned = None if flips is None else replace(flips, gains=flips.losses, losses=flips.gains)
    return replace(change, mean=-change.mean, flips=turned)


def grow(change: MeanChange, factor: float) -> MeanChange:
    """What ``factor`` times as many items would show if nothing else changed."""
    interval = change.interval
    if interval.se is not None and interval.df is not None:
        interval = replace(interval, se=interval.se / math.sqrt(factor), df=interval.df * factor)
    flips = change.flips
    if flips is not None:
        df = None if flips.df is None else flips.df * factor
        flips = Flips(flips.gains * factor, flips.losses * factor, flips.size * factor, df)
    return replace(change, n=round(change.n * factor), interval=interval, flips=flips)


def _score_p(flips: Flips, threshold: float) -> float:
    if abs(threshold) > _MOST:
        return 0.0 if threshold < 0.0 else 1.0
    score = paired_score(flips.gains, flips.losses, flips.size, threshold)
    if flips.df is not None:
        return student_above(score, flips.df)
    return normal_below(-score)


def _find_edge(is_shown: Callable[[float], bool], low: float, high: float) -> float:
    """Where ``is_shown`` turns false; what is returned is still shown, unless nothing is."""
    while high - low > _EXACT_ENOUGH:
        middle = (low + high) / 2.0
        low, high = (middle, high) if is_shown(middle) else (low, middle)
    return low
