"""How one item was scored: by the scorer of its axis's metric, the same that made the number."""

from collections.abc import Mapping
from typing import Any

from benchproof.measure import normalise_squad
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.scores import ScoresError, find_scorer

_SQUAD = ".squad-"


def score_record(axis: ResolvedAxis, item: CompiledItem, record: Mapping[str, Any]) -> float | None:
    """The score of an answered item in [0, 1]; ``None`` where the metric's scorer is not at hand."""
    try:
        scorer = find_scorer(axis["metric"])
    except ScoresError:
        return None
    return scorer.score_item(item, record).score if scorer.axis_type == axis["type"] else None


def normalize_answer(axis: ResolvedAxis, text: str) -> str | None:
    """What a metric compares in place of a text; ``None`` where it takes the text as it is."""
    return normalise_squad(text) if _SQUAD in axis["metric"] else None
