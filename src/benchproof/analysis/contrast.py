"""Contrasts: two runs on the same items, with every key that differs.

Sources: contract-proof, compare; contract-statistics, Comparisons.

Laws: what differs besides the model is said first, by the one function that decides comparability. The headline is
the paired clustered difference with its interval and the sign-flip test; McNemar's test, which ignores clusters, is
secondary. "Not significant" never stands alone: equivalence within the margin stands beside it. The p-values of one
contrast are one family (Holm).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchproof.analysis.errors import ContrastError
from benchproof.analysis.pairing import Pair, ScoredItem, Unpaired, pair_items
from benchproof.measure import Equivalence, Interval, cluster_sign_flip, holm, mcnemar_exact, paired_difference, tost
from benchproof.results import KeyDifference, Standing, differing_keys, find_tolerance


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    run: str
    sha256: str
    model: str
    model_id: str
    synthetic: bool
    sealed_at: str


@dataclass(frozen=True, slots=True)
class ScoredAxis:
    """One axis of a run in one language: where it stands, its headline number's tag, a score an item."""

    standing: Standing
    axis: str
    unit: str
    tag: str
    items: Sequence[ScoredItem]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with the scores of its axes, by axis key."""

    side: Side
    axes: Mapping[str, ScoredAxis]


@dataclass(frozen=True, slots=True)
class Flip:
    """An item that one run has right and the other wrong; the texts are what was answered and what is right."""

    item_id: str
    right_in: str
    answer_a: str | None = None
    answer_b: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class SignTest:
    """The sign-flip test: p, whether all patterns were enumerated, how many, and the seed where they were drawn."""

    p: float
    exact: bool
    patterns: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class AxisContrast:
    """A − B on one axis in one language, in the metric's unit, over ``n`` pairs.

    Everything behind ``clusters`` is ``None`` where there is no pair. ``mcnemar_p`` and ``flips`` are there for 0/1
    scores alone. ``p_holm`` is adjusted over the contrast.
    """

    axis: str
    language: str
    benchmark: str
    metric: str
    unit: str
    tag: str
    differences: tuple[KeyDifference, ...]
    n: int
    planned_a: int
    planned_b: int
    unpaired: Unpaired
    clusters: int
    mean_a: float | None = None
    mean_b: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    level: float = 0.95
    method: str = "no interval: no pairs"
    also: tuple[dict[str, Any], ...] = ()
    flags: tuple[str, ...] = ()
    test: SignTest | None = None
    p_holm: float | None = None
    mcnemar_p: float | None = None
    cohen_dz: float | None = None
    equivalence: Equivalence | None = None
    flips: tuple[Flip, ...] | None = None

    @property
    def axis_key(self) -> str:
        """``<axis>.<language>``."""
        return f"{self.axis}.{self.language}"

    @property
    def is_significant(self) -> bool:
        """Whether a difference is shown: the adjusted p is at most 1 − level."""
        return self.p_holm is not None and self.p_holm <= 1.0 - self.level

    def count_flips(self, side: str) -> int:
        """How many items only one side (``A`` or ``B``) has right."""
        return sum(flip.right_in == side for flip in self.flips or ())


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two runs, axis by axis.

    ``apart``: axes of one name that measure different benchmark versions or metrics, in words. ``only_a``, ``only_b``:
    axis keys that one run has alone.
    """

    left: Side
    right: Side
    axes: tuple[AxisContrast, ...]
    level: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    apart: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """Whether no key of any axis differs, so that a difference is the model's."""
        return not any(axis.differences for axis in self.axes)

    @property
    def is_same_model(self) -> bool:
        """Whether both runs asked the same model."""
        return self.left.model_id == self.right.model_id


def contrast_runs(
    left: ScoredRun, right: ScoredRun, *, margin: float | None = None, level: float = 0.95, seed: int = 0
) -> Contrast:
    """Contrast two scored runs.

    Args:
        left: A; differences are A − B.
        right: B.
        margin: Equivalence margin in the metric's unit; by default the metric's tolerance.
        level: Of the intervals; 1 − level is the size of the tests.
        seed: Of sign patterns, where they are too many to enumerate.

    Raises:
        ContrastError: The same run twice, no common axis, other benchmark versions, a margin or level out of range.
    """
    _check_call(left, right, margin, level)
    common = [key for key in left.axes if key in right.axes]
    apart = {key: words for key in common if (words := say_apart(left.axes[key], right.axes[key]))}
    paired = sorted(key for key in common if key not in apart)
    if not paired:
        raise _find_nothing_common(left, right, list(apart.values()))
    contrasts = [
        contrast_axis(left.axes[key], right.axes[key], margin=margin, level=level, seed=seed) for key in paired
    ]
    return Contrast(
        left=left.side,
        right=right.side,
        axes=tuple(_adjust(contrasts)),
        level=level,
        only_a=tuple(sorted(set(left.axes) - set(right.axes))),
        only_b=tuple(sorted(set(right.axes) - set(left.axes))),
        apart=tuple(apart[key] for key in sorted(apart)),
    )


def contrast_axis(
    left: ScoredAxis, right: ScoredAxis, *, margin: float | None, level: float, seed: int
) -> AxisContrast:
    """Contrast one axis in one language; its p is not adjusted."""
    pairs, unpaired = pair_items(left.items, right.items)
    contrast = AxisContrast(
        axis=left.axis,
        language=left.standing.language,
        benchmark=left.standing.benchmark,
        metric=left.standing.metric,
        unit=left.unit,
        tag=f"{left.tag}..{right.tag}",
        differences=tuple(differing_keys(left.standing, right.standing)),
        n=len(pairs),
        planned_a=len(left.items),
        planned_b=len(right.items),
        unpaired=unpaired,
        clusters=len({pair.cluster for pair in pairs}),
        level=level,
    )
    if not pairs:
        return contrast
    if margin is None:
        margin = find_tolerance(contrast.metric)
    return _measure(contrast, pairs, margin=margin, seed=seed)


def _measure(contrast: AxisContrast, pairs: Sequence[Pair], *, margin: float | None, seed: int) -> AxisContrast:
    a, b = [pair.score_a for pair in pairs], [pair.score_b for pair in pairs]
    clusters = [pair.cluster for pair in pairs]
    paired = paired_difference(a, b, clusters, contrast.level)
    test = cluster_sign_flip([x - y for x, y in zip(a, b, strict=True)], clusters, seed=seed)
    interval = paired.interval
    contrast = replace(
        contrast,
        mean_a=paired.mean_a,
        mean_b=paired.mean_b,
        difference=paired.difference,
        interval=interval.bounds,
        method=interval.method,
        also=interval.also,
        flags=interval.flags,
        test=SignTest(test.p, test.exact, test.patterns, test.seed),
        cohen_dz=paired.cohen_dz,
    )
    if margin is not None:
        alpha = 1.0 - contrast.level
        equivalence = tost(paired.difference, interval.se, interval.df, margin, alpha=alpha)
        if equivalence.p is None:
            equivalence = replace(equivalence, reason=_say_why_untested(interval))
        contrast = replace(contrast, equivalence=equivalence)
    if not all(score in (0.0, 1.0) for score in (*a, *b)):
        return contrast
    flips = tuple(Flip(pair.item_id, "A" if pair.score_a else "B") for pair in pairs if pair.score_a != pair.score_b)
    contrast = replace(contrast, flips=flips)
    return replace(contrast, mcnemar_p=mcnemar_exact(contrast.count_flips("A"), contrast.count_flips("B")))


def _say_why_untested(interval: Interval) -> str:
    """Why there is no standard error, as the interval has it."""
    if interval.clusters == 1:
        return "one cluster: no spread between clusters can be estimated"
    return interval.method.removeprefix("no interval: ")


def _adjust(contrasts: Sequence[AxisContrast]) -> list[AxisContrast]:
    """Holm over all axes of the contrast that have a p-value."""
    adjusted = iter(holm([contrast.test.p for contrast in contrasts if contrast.test]))
    return [replace(contrast, p_holm=next(adjusted)) if contrast.test else contrast for contrast in contrasts]


def say_apart(left: ScoredAxis, right: ScoredAxis) -> str | None:
    """Why two axes of one name do not measure one thing, after their key; ``None`` where they do."""
    key = f"{left.axis}.{left.standing.language}"
    for word, one, other in (
        ("benchmark", left.standing.benchmark, right.standing.benchmark),
        ("metric", left.standing.metric, right.standing.metric),
    ):
        if one != other:
            return f"{key}: {word} {one} against {other}"
    return None


def _find_nothing_common(left: ScoredRun, right: ScoredRun, apart: Sequence[str]) -> ContrastError:
    place = f"{left.side.run}, {right.side.run}"
    if apart:
        return ContrastError(
            "the two runs measured different things",
            place=place,
            got="; ".join(apart),
            expected="the same benchmark version and metric on both sides",
            hint="Run both models on one version of the bench",
        )
    return ContrastError(
        "the two runs have no axis in common",
        place=place,
        got=f"{', '.join(left.axes) or 'none'} and {', '.join(right.axes) or 'none'}",
        expected="at least one axis and language in both",
        hint="Compare runs of the same bench",
    )


def _check_call(left: ScoredRun, right: ScoredRun, margin: float | None, level: float) -> None:
    if left.side.sha256 == right.side.sha256:
        raise ContrastError(
            "both handles name the same run", got=left.side.run, expected="two runs", hint="Name another run as B"
        )
    if margin is not None and not margin > 0:
        raise ContrastError("an equivalence margin is above 0", got=f"{margin:g}", expected="for example 0.02")
    if not 0.5 <= level < 1:
        raise ContrastError("a level lies between 0.5 and 1", got=f"{level:g}", expected="for example 0.95")
