"""One score an item, from the compiled items and the records of a run; each file is read once.

Clusters are the connected components of passages and overlap groups over all languages of an axis, so that a question
and its translation are in the same cluster. Only ids, scores, keys and cluster names are kept, in columns.
"""

from array import array
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from benchproof.archive import IdTable
from benchproof.canon import canonical, parse
from benchproof.measure import MeasureError, item_names
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.scores.clusters import AxisClusters
from benchproof.scores.errors import EvidenceError
from benchproof.scores.evidence import Evidence
from benchproof.scores.score_columns import AxisItems, ItemOutcome, ScoreColumns, ScoreFacts
from benchproof.scores.scorers import SCORERS, ItemScorer


def score_items(run: Evidence, axis_key: str, *, metric: str | None = None) -> ScoreColumns:
    """The score of every planned item of one axis and language, by item id.

    ``metric`` names another scorer than the axis does. Without the scorer the answered items are ``unscored``.
    """
    check_axis_key(run, axis_key)
    axis = run.axis(axis_key)
    clusters = AxisClusters()
    for other in list_languages(run, axis["axis"]):
        if other != axis_key:
            for item in run.items(other):
                clusters.join(name_clusters(item))
    return _walk(run, axis_key, find_axis_scorer(axis, metric), clusters)


def score_axis(run: Evidence, axis: str) -> dict[str, ScoreColumns]:
    """``score_items`` for every language of an axis, by axis key, in one pass over each file."""
    clusters = AxisClusters()
    return {
        axis_key: _walk(run, axis_key, find_axis_scorer(run.axis(axis_key)), clusters)
        for axis_key in list_languages(run, axis)
    }


def list_languages(run: Evidence, axis: str) -> list[str]:
    """The axis keys of one axis, in order."""
    return sorted(axis_key for axis_key in run.axis_keys if run.axis_of_run(axis_key)["axis"] == axis)


def find_axis_scorer(axis: ResolvedAxis, metric: str | None = None) -> ItemScorer | None:
    """The scorer of the axis' metric; ``None`` where it is not at hand or scores another type of axis."""
    scorer = SCORERS.get(metric or axis["metric"])
    return scorer if scorer is not None and scorer.axis_type == axis["type"] else None


def check_axis_key(run: Evidence, axis_key: str) -> None:
    """Refuse an axis key that the run does not have, with those that it has."""
    if axis_key not in run.axis_keys:
        raise EvidenceError(
            "the run has no such axis and language",
            place=run.id,
            got=repr(axis_key),
            expected="one of " + ", ".join(sorted(run.axis_keys)),
        )


def plan_facts(item: CompiledItem) -> ScoreFacts:
    """What is known of an item before it is answered."""
    outcome: ItemOutcome = "excluded" if item["excluded"] else "unasked"
    return ScoreFacts(outcome, item["register"], len(item["choices"]) if "choices" in item else None)


def score_record(
    facts: ScoreFacts, item: CompiledItem, record: Mapping[str, Any], scorer: ItemScorer | None, *, place: str
) -> tuple[ScoreFacts, float | None]:
    """The facts and score of an item with its record; ``facts`` are those that were planned."""
    if facts.outcome == "excluded":
        return facts, None
    if record["outcome"] != "answered":
        return facts._replace(outcome=record["outcome"]), None
    if scorer is None:
        return facts._replace(outcome="unscored"), None
    try:
        scored = scorer.score_item(item, record)
    except (KeyError, TypeError, MeasureError) as fault:
        raise EvidenceError(
            f"the record cannot be scored: {type(fault).__name__} {fault}",
            place=f"{place} {record['item_id']}",
            hint="`benchproof verify` says whether the run is intact.",
        ) from fault
    is_capped = record.get("finish") == "length"
    return facts._replace(outcome="scored", tie=scored.tie, empty=scored.empty, capped=is_capped), scored.score


def name_clusters(item: CompiledItem) -> list[str]:
    """The names of what an item hangs together with."""
    return item_names(item["global_item_id"], item["passage_id"], item["overlap_group_ids"])


class _Keys:
    """What a scorer needs of the items, without their texts: alike keys are kept once."""

    def __init__(self) -> None:
        self._texts = IdTable()
        self._numbers = array("I")

    def add(self, item: CompiledItem) -> None:
        key = canonical({name: item[name] for name in ("answer_index", "references") if name in item}).decode()
        self._numbers.append(self._texts.enter(key))

    def find(self, number: int) -> CompiledItem:
        return _read_key(self._texts.text_of(self._numbers[number]))


@lru_cache(maxsize=64)
def _read_key(key: str) -> CompiledItem:
    """Choice axes have few keys, which come again and again."""
    return cast("CompiledItem", parse(key.encode()))


def _walk(run: Evidence, axis_key: str, scorer: ItemScorer | None, clusters: AxisClusters) -> ScoreColumns:
    """Every item with its record. Clusters are looked up only when all languages have been read."""
    planned, keys = AxisItems(clusters), _Keys()
    columns = ScoreColumns(planned)
    for item in run.items(axis_key):
        if planned.add(item["item_id"], name_clusters(item)):
            columns.add(plan_facts(item))
            keys.add(item)
    is_taken = bytearray(len(planned))
    for _, record in run.records(axis_key):
        number = planned.ids.number_of(record["item_id"])
        if number is None or is_taken[number]:
            raise EvidenceError(
                "a record has no item, or an item has two records",
                place=f"{run.id} records/{axis_key}.ndjson",
                got=str(record["item_id"]),
                hint="`benchproof verify` says whether the run is intact.",
            )
        is_taken[number] = True
        place = f"{run.id} {axis_key}"
        columns.settle(number, *score_record(columns.facts_of(number), keys.find(number), record, scorer, place=place))
    return columns.sort()
