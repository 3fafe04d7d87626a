"""The score of one item alone, for whoever holds no more than one (``score_items`` holds an axis).

It stands in no scorer's digest: no number of a sheet is made here, and a test holds it to what ``score_items`` gives.
"""

from collections.abc import Mapping
from typing import Any

from benchproof.measure import MeasureError, item_names
from benchproof.records.bench import CompiledItem
from benchproof.scores.errors import EvidenceError
from benchproof.scores.item_scores import ItemOutcome, ItemScore
from benchproof.scores.scorers import ItemScorer, Scored


def score_item(
    item: CompiledItem, record: Mapping[str, Any] | None, scorer: ItemScorer | None, *, place: str
) -> ItemScore:
    """One planned item's score; ``record`` is ``None`` where it was not asked.

    ``cluster`` is the first name that the item goes by, not yet the component that it is in.

    Raises:
        EvidenceError: The record cannot be scored.
    """
    outcome = _find_outcome(item, record, scorer)
    if scorer is None or record is None or outcome != "scored":
        return _make_score(item, outcome)
    try:
        scored = scorer.score_item(item, record)
    except (KeyError, TypeError, MeasureError) as fault:
        raise EvidenceError(
            f"the record cannot be scored: {type(fault).__name__} {fault}",
            place=f"{place} {item['item_id']}",
            hint="`benchproof verify` says whether the run is intact.",
        ) from fault
    return _make_score(item, outcome, scored, capped=record.get("finish") == "length")


def _find_outcome(item: CompiledItem, record: Mapping[str, Any] | None, scorer: ItemScorer | None) -> ItemOutcome:
    if item["excluded"]:
        return "excluded"
    if record is None:
        return "unasked"
    if record["outcome"] != "answered":
        outcome: ItemOutcome = record["outcome"]
        return outcome
    return "unscored" if scorer is None else "scored"


def _make_score(
    item: CompiledItem, outcome: ItemOutcome, scored: Scored | None = None, *, capped: bool = False
) -> ItemScore:
    return ItemScore(
        item_id=item["item_id"],
        score=None if scored is None else scored.score,
        outcome=outcome,
        cluster=item_names(item["global_item_id"], item["passage_id"], item["overlap_group_ids"])[0],
        register=item["register"],
        choices=len(item["choices"]) if "choices" in item else None,
        tie=scored is not None and scored.tie,
        empty=scored is not None and scored.empty,
        capped=capped,
    )
