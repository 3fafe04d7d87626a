"""The change of one axis from the reference to the candidate, and what unanswered items could make of it.

Law: a verdict holds whatever the missing answers would have been. An item that only one side scored counts, for a
pass, as if the missing answer spoke against the candidate, and for a fail as if it spoke for it. Who leaves the hard
items out passes no gate.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchproof.analysis.pairing import Pair, ScoredItem, Unpaired, pair_items
from benchproof.measure import MeanChange, measure_change


@dataclass(frozen=True, slots=True)
class AxisChange:
    """Candidate − reference over items; above 0 is better, whichever way the metric runs.

    ``cautious`` has the missing answers against the candidate, ``kind`` for it; both are ``plain`` where none is
    missing. ``missing`` counts them.
    """

    plain: MeanChange
    cautious: MeanChange
    kind: MeanChange
    missing: int
    unpaired: Unpaired
    mean_candidate: float
    mean_reference: float
    clusters: int
    gains: int | None
    losses: int | None


def measure_axis(
    candidate: Sequence[ScoredItem], reference: Sequence[ScoredItem], *, lower_is_better: bool, level: float
) -> AxisChange | Unpaired:
    """The change over the items that both scored; what stands in no pair where there is no such item."""
    pairs, unpaired = pair_items(candidate, reference)
    if not pairs:
        return unpaired
    sign = -1.0 if lower_is_better else 1.0
    best, worst = (0.0, 1.0) if lower_is_better else (1.0, 0.0)
    missing = frozenset({*unpaired.unscored_a, *unpaired.unscored_b})
    against, _ = pair_items(_fill(candidate, missing, worst), _fill(reference, missing, best))
    in_favour, _ = pair_items(_fill(candidate, missing, best), _fill(reference, missing, worst))
    plain = _measure(pairs, sign, level)
    binary = all(score in (0.0, 1.0) for pair in pairs for score in (pair.score_a, pair.score_b))
    changes = [sign * (pair.score_a - pair.score_b) for pair in pairs]
    return AxisChange(
        plain=plain,
        cautious=_measure(against, sign, level),
        kind=_measure(in_favour, sign, level),
        missing=len(missing),
        unpaired=unpaired,
        mean_candidate=sum(pair.score_a for pair in pairs) / len(pairs),
        mean_reference=sum(pair.score_b for pair in pairs) / len(pairs),
        clusters=len({pair.cluster for pair in pairs}),
        gains=sum(change > 0 for change in changes) if binary else None,
        losses=sum(change < 0 for change in changes) if binary else None,
    )


def _measure(pairs: Sequence[Pair], sign: float, level: float) -> MeanChange:
    differences = [sign * (pair.score_a - pair.score_b) for pair in pairs]
    return measure_change(differences, [pair.cluster for pair in pairs], level)


def _fill(items: Iterable[ScoredItem], missing: Collection[str], score: float) -> Iterator[ScoredItem]:
    """The items with ``score`` where theirs is missing. What neither side scored stays out: it tells of no change."""
    for item in items:
        yield replace(item, score=score) if item.item_id in missing and item.score is None else item
