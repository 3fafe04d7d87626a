"""Two versions of a bench in one language: how far each model's numbers moved, axis by axis.

Laws: the items of two versions differ, so nothing is paired and nothing is ranked; every key that differs besides the
version itself is said first. The interval is that of two estimates that share no items (``measure.interval_apart``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchproof.measure import interval_apart
from benchproof.results import KeyDifference, Row, differing_keys

OF_THE_VERSION = frozenset({"benchmark", "bench_digest"})
"""Keys that differ because the versions do."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A number of one model on either version, and how far it moved: second − first, in its unit."""

    model: str
    axis: str
    metric: str
    unit: str
    first: float | None
    second: float | None
    difference: float | None
    interval: tuple[float, float] | None
    level: float
    scored: tuple[int, int]
    tags: tuple[str, str]
    differences: tuple[KeyDifference, ...]


@dataclass(frozen=True, slots=True)
class VersionContrast:
    """What moved; ``runs`` are a model with its run on either version; ``alone`` is in one version only."""

    versions: tuple[str, str]
    language: str
    runs: tuple[tuple[str, str, str], ...]
    moved: tuple[Moved, ...]
    alone: tuple[str, ...]


def contrast_versions(
    versions: tuple[str, str], language: str, pairs: Sequence[tuple[Sequence[Row], Sequence[Row]]]
) -> VersionContrast:
    """Contrast the rows of pairs of runs: of each model, one run on either version."""
    moved: list[Moved] = []
    alone: set[str] = set()
    runs = []
    for first, second in pairs:
        before, after = _by_number(first, language), _by_number(second, language)
        alone |= {f"{axis} {metric}" for axis, metric in set(before) ^ set(after)}
        moved += [_move(before[key], after[key]) for key in before if key in after]
        runs.append((first[0].model, first[0].source, second[0].source))
    return VersionContrast(versions, language, tuple(runs), tuple(moved), tuple(sorted(alone)))


def _by_number(rows: Sequence[Row], language: str) -> dict[tuple[str, str], Row]:
    return {(row.axis, row.metric): row for row in rows if row.language == language and row.slice == "all"}


def _move(first: Row, second: Row) -> Moved:
    difference = interval = None
    if first.value is not None and second.value is not None:
        difference = second.value - first.value
        if first.interval is not None and second.interval is not None:
            interval = interval_apart(second.value, second.interval, first.value, first.interval)
    return Moved(
        model=first.model,
        axis=first.axis,
        metric=first.metric,
        unit=first.unit,
        first=first.value,
        second=second.value,
        difference=difference,
        interval=interval,
        level=first.level,
        scored=(first.denominator, second.denominator),
        tags=(first.tag, second.tag),
        differences=tuple(key for key in differing_keys(first, second) if key.key not in OF_THE_VERSION),
    )
