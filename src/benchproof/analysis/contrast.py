"""Contrasts: two runs on the same items, with every key that differs.

Sources: contract-proof, compare; contract-statistics, Comparisons.

Laws: what differs besides the model is said first, by the one function that decides comparability. The headline is
the paired clustered difference with its interval and the sign-flip test; McNemar's test, which ignores clusters, is
secondary. "Not significant" never stands alone: equivalence within the margin stands beside it. The p-values of one
contrast are one family (Holm).
"""

from collections.abc import Sequence
from dataclasses import replace

from benchproof.analysis.contrast_parts import AxisContrast, Contrast, Flip, ScoredAxis, ScoredRun, SignTest
from benchproof.analysis.contrast_power import find_sensitivity
from benchproof.analysis.errors import ContrastError
from benchproof.analysis.pairing import Pair, pair_items
from benchproof.measure import Interval, cluster_sign_flip, holm, mcnemar_exact, paired_difference, tost
from benchproof.results import differing_keys, find_tolerance


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
        axes=tuple(_adjust_all(contrasts)),
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
        sensitivity=find_sensitivity(
            paired.sd**2, paired.deff, paired.n, margin=margin, level=contrast.level, family=1
        ),
    )
    if margin is not None:
        alpha = round(1.0 - contrast.level, 12)
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


def _adjust_all(contrasts: Sequence[AxisContrast]) -> list[AxisContrast]:
    """Holm over all axes of the contrast that have a p-value; what each could show is found for that family."""
    ps = [contrast.test.p for contrast in contrasts if contrast.test]
    adjusted = iter(holm(ps))
    return [_adjust(contrast, next(adjusted), len(ps)) if contrast.test else contrast for contrast in contrasts]


def _adjust(contrast: AxisContrast, p: float, family: int) -> AxisContrast:
    found = contrast.sensitivity
    if found is not None:
        found = find_sensitivity(
            found.variance, found.deff, contrast.n, margin=found.margin, level=contrast.level, family=family
        )
    return replace(contrast, p_holm=p, sensitivity=found)


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
