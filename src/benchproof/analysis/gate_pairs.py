"""The change of one axis from the reference to the candidate, and what unanswered items could make of it.

Law: a verdict holds whatever the missing answers would have been. An item that only one side scored counts, for a
pass, as if the missing answer spoke against the candidate, and for a fail as if it spoke for it. Who leaves the hard
items out passes no gate.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchproof.analysis.pairing import Pair, ScoredItem, Unpaired, pair_items
from benchproof.measure import MeanChange, measure_change


@dataclass(frozen=True, slots=True)
class AxisChange:
    """Candidate − reference over items; above 0 is better, whichever way the metric runs.

    ``cautious`` has the missing answers against the candidate, ``kind`` for it; both are ``plain`` where none is
    missing. ``missing`` counts them; they mean nothing where scores are not in [0, 1] (``is_bounded``).
    """

    plain: MeanChange
    cautious: MeanChange
    kind: MeanChange
    missing: int
    is_bounded: bool
    unpaired: Unpaired
    mean_candidate: float
    mean_reference: float
    clusters: int
    gains: int | None
    losses: int | None


def measure_axis(
    candidate: Sequence[ScoredItem],
    reference: Sequence[ScoredItem],
    *,
    lower_is_better: bool,
    may_lack_items: bool,
    level: float,
) -> AxisChange | Unpaired:
    """The change over the items that both scored; what stands in no pair where there is no such item.

    ``may_lack_items``: other items are allowed to differ, so that one that a run has alone is not missing in the other.
    """
    pairs, unpaired = pair_items(candidate, reference)
    if not pairs:
        return unpaired
    sign = -1.0 if lower_is_better else 1.0
    best, worst = (0.0, 1.0) if lower_is_better else (1.0, 0.0)
    gaps = _find_gaps(candidate, reference, unpaired, may_lack_items=may_lack_items)
    scores = [item.score for item in (*candidate, *reference) if item.score is not None]
    bounded = min(scores) >= 0.0 and max(scores) <= 1.0

    def measure(measured: Sequence[Pair]) -> MeanChange:
        differences = [sign * (pair.score_a - pair.score_b) for pair in measured]
        return measure_change(differences, [pair.cluster for pair in measured], level, are_bounded=bounded)

    def measure_filled(mine: float, theirs: float) -> MeanChange:
        return measure(pair_items(gaps.fill(candidate, mine), gaps.fill(reference, theirs))[0])

    plain = measure(pairs)
    changes = [sign * (pair.score_a - pair.score_b) for pair in pairs]
    binary = all(score in (0.0, 1.0) for pair in pairs for score in (pair.score_a, pair.score_b))
    return AxisChange(
        plain=plain,
        cautious=measure_filled(worst, best) if gaps.items else plain,
        kind=measure_filled(best, worst) if gaps.items else plain,
        missing=len(gaps.items),
        is_bounded=bounded,
        unpaired=unpaired,
        mean_candidate=math.fsum(pair.score_a for pair in pairs) / len(pairs),
        mean_reference=math.fsum(pair.score_b for pair in pairs) / len(pairs),
        clusters=len({pair.cluster for pair in pairs}),
        gains=sum(change > 0 for change in changes) if binary else None,
        losses=sum(change < 0 for change in changes) if binary else None,
    )


@dataclass(frozen=True, slots=True)
class _Gaps:
    """Items that one side scored and the other did not, as the side that scored has them."""

    items: Mapping[str, ScoredItem]

    def fill(self, side: Iterable[ScoredItem], score: float) -> list[ScoredItem]:
        """The items of a side with ``score`` where it has none, and with the items that it lacks."""
        own = list(side)
        ids = {item.item_id for item in own}
        lacking = [replace(item, score=score) for name, item in self.items.items() if name not in ids]
        return [self._fill_one(item, score) for item in own] + lacking

    def _fill_one(self, item: ScoredItem, score: float) -> ScoredItem:
        return replace(item, score=score) if item.score is None and item.item_id in self.items else item


def _find_gaps(
    candidate: Iterable[ScoredItem], reference: Iterable[ScoredItem], unpaired: Unpaired, *, may_lack_items: bool
) -> _Gaps:
    """What neither side scored is no gap: it tells of no change."""
    missing = {*unpaired.unscored_a, *unpaired.unscored_b}
    if not may_lack_items:
        missing |= {*unpaired.only_a, *unpaired.only_b}
    return _Gaps(
        {item.item_id: item for item in (*candidate, *reference) if item.item_id in missing and item.score is not None}
    )
