"""The score of one item alone, for whoever holds no more than one (``score_items`` holds an axis).

It stands in no scorer's digest: no number of a sheet is made here, and a test holds it to what ``score_items`` gives.
"""

from collections.abc import Mapping
from typing import Any

from benchproof.records.bench import CompiledItem
from benchproof.scores.item_scores import name_clusters, plan_facts, score_record
from benchproof.scores.score_columns import ItemScore
from benchproof.scores.scorers import ItemScorer


def score_item(
    item: CompiledItem, record: Mapping[str, Any] | None, scorer: ItemScorer | None, *, place: str
) -> ItemScore:
    """One planned item's score; ``record`` is ``None`` where it was not asked.

    ``cluster`` is the first name that the item goes by, not yet the component that it is in.

    Raises:
        EvidenceError: The record cannot be scored.
    """
    facts, score = plan_facts(item), None
    if record is not None:
        facts, score = score_record(facts, item, record, scorer, place=place)
    return ItemScore(item["item_id"], score, facts.outcome, name_clusters(item)[0], *facts[1:])
