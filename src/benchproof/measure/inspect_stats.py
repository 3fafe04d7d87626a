"""How Inspect makes one score of an item's epochs, and a deviation, an error or an interval of the items' scores.

Source: ``inspect_ai/scorer/_reducer/reducer.py`` and ``_metrics/std.py``, 0.3.285. Epochs without a score are left out
by every reducer. Bootstrapped values are drawn without a seed there, and can be computed by nobody again.
"""

import math
import re
import statistics
from collections import Counter
from collections.abc import Hashable, Sequence

from benchproof.measure.errors import MeasureError
from benchproof.measure.quantiles import student_quantile

_COUNTED = re.compile(r"(at_least|pass_at|pass_k)_([1-9][0-9]{0,3})")
_PLAIN = ("mean", "median", "max", "mode")


def is_reducer(name: str) -> bool:
    """Whether a reducer is one that can be computed again by its name in the log."""
    return name in _PLAIN or _COUNTED.fullmatch(name) is not None


def reduce_epochs(values: Sequence[float], reducer: str = "mean") -> float | None:
    """One score of an item from those of its epochs; ``None`` where there are none, or fewer than k."""
    if not values:
        return None
    if reducer == "mean":
        return math.fsum(values) / len(values)
    if reducer == "median":
        return statistics.median(values)
    if reducer == "max":
        return max(values)
    if reducer == "mode":
        return Counter(values).most_common(1)[0][0]
    counted = _COUNTED.fullmatch(reducer)
    if counted is None:
        raise MeasureError("there is no such reducer of epochs", got=reducer[:80], expected=", ".join(_PLAIN))
    kind, k, right, total = counted[1], int(counted[2]), sum(value >= 1.0 for value in values), len(values)
    if kind == "at_least":
        return float(right >= k)
    if total < k:
        return None
    if kind == "pass_k":
        return math.comb(right, k) / math.comb(total, k)
    return 1.0 - math.comb(total - right, k) / math.comb(total, k)


def variance_inspect(values: Sequence[float]) -> float:
    """``var``: over n − 1; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def stderr_inspect(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> float:
    """``stderr``: sd/√n, or √(Σ_c (Σ_i (x − m))² · C/(C−1)) / n over clusters; 0 for fewer than two of either."""
    if clusters is None:
        return math.sqrt(variance_inspect(values) / len(values)) if len(values) > 1 else 0.0
    count = len(set(clusters))
    if count < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    sums: dict[Hashable, float] = dict.fromkeys(clusters, 0.0)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value - mean
    total = math.fsum(one * one for one in sums.values())
    return math.sqrt(total * count / (count - 1)) / len(values)


def interval_inspect(
    values: Sequence[float], level: float, clusters: Sequence[Hashable] | None = None
) -> tuple[float, float]:
    """``ci`` by Student's t: m ± t · stderr with n − 1, or C − 1, degrees of freedom; the point for n < 2."""
    if len(values) < 2:
        point = values[0] if values else 0.0
        return point, point
    mean = math.fsum(values) / len(values)
    df = len(values) - 1 if clusters is None else max(len(set(clusters)) - 1, 1)
    half = student_quantile((1.0 + level) / 2.0, df) * stderr_inspect(values, clusters)
    return mean - half, mean + half
