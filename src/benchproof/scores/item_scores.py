"""One score an item, from the compiled items and the records of a run; each file is read once.

Clusters are the connected components of passages and overlap groups over all languages of an axis, so that a question
and its translation are in the same cluster. Only keys, scores and cluster names are kept.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from benchproof.measure import ClusterBook, MeasureError, item_names
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.scores.errors import EvidenceError
from benchproof.scores.evidence import Evidence
from benchproof.scores.scorers import SCORERS, ItemScorer

ItemOutcome = Literal["scored", "unparsed", "errored", "truncated", "excluded", "unasked", "unscored"]
"""``unasked``: planned, but the run ended before it. ``unscored``: answered, but the scorer is not at hand."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """One item's score, ``None`` unless its outcome is ``scored``.

    ``choices`` is the number to choose from (choice axes). ``capped``: the answer ran into the token limit.
    """

    item_id: str
    score: float | None
    outcome: ItemOutcome
    cluster: str
    register: str | None
    choices: int | None = None
    tie: bool = False
    empty: bool = False
    capped: bool = False


def score_items(run: Evidence, axis_key: str, *, metric: str | None = None) -> list[ItemScore]:
    """The score of every planned item of one axis and language, by item id.

    ``metric`` names another scorer than the axis does. Without the scorer the answered items are ``unscored``.
    """
    check_axis_key(run, axis_key)
    axis = run.axis(axis_key)
    book = ClusterBook()
    for other in list_languages(run, axis["axis"]):
        if other != axis_key:
            for item in run.items(other):
                book.join(_names(item))
    scores = _walk(run, axis_key, find_axis_scorer(axis, metric), book)
    return _settle_clusters(scores, book)


def score_axis(run: Evidence, axis: str) -> dict[str, list[ItemScore]]:
    """``score_items`` for every language of an axis, by axis key, in one pass over each file."""
    book = ClusterBook()
    walked = {}
    for axis_key in list_languages(run, axis):
        walked[axis_key] = _walk(run, axis_key, find_axis_scorer(run.axis(axis_key)), book)
    return {axis_key: _settle_clusters(scores, book) for axis_key, scores in walked.items()}


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


def _walk(run: Evidence, axis_key: str, scorer: ItemScorer | None, book: ClusterBook) -> list[ItemScore]:
    """Every item with its record, by item id. Clusters are settled only when all languages have been read."""
    waiting: dict[str, tuple[ItemScore, CompiledItem]] = {}
    for item in run.items(axis_key):
        names = _names(item)
        book.join(names)
        base = ItemScore(
            item_id=item["item_id"],
            score=None,
            outcome="excluded" if item["excluded"] else "unasked",
            cluster=names[0],
            register=item["register"],
            choices=len(item["choices"]) if "choices" in item else None,
        )
        waiting[item["item_id"]] = base, _keep_key(item)
    settled = []
    for _, record in run.records(axis_key):
        base, item = _take(waiting, record, place=f"{run.id} records/{axis_key}.ndjson")
        settled.append(_score(base, item, record, scorer, place=f"{run.id} {axis_key}"))
    settled += [base for base, _ in waiting.values()]
    return sorted(settled, key=lambda score: score.item_id)


def _take(
    waiting: dict[str, tuple[ItemScore, CompiledItem]], record: dict[str, Any], *, place: str
) -> tuple[ItemScore, CompiledItem]:
    found = waiting.pop(record["item_id"], None)
    if found is None:
        raise EvidenceError(
            "a record has no item, or an item has two records",
            place=place,
            got=str(record["item_id"]),
            hint="`benchproof verify` says whether the run is intact.",
        )
    return found


def _score(
    base: ItemScore, item: CompiledItem, record: dict[str, Any], scorer: ItemScorer | None, *, place: str
) -> ItemScore:
    if base.outcome == "excluded":
        return base
    if record["outcome"] != "answered":
        return replace(base, outcome=record["outcome"])
    if scorer is None:
        return replace(base, outcome="unscored")
    try:
        scored = scorer.score_item(item, record)
    except (KeyError, TypeError, MeasureError) as fault:
        raise EvidenceError(
            f"the record cannot be scored: {type(fault).__name__} {fault}",
            place=f"{place} {base.item_id}",
            hint="`benchproof verify` says whether the run is intact.",
        ) from fault
    return replace(
        base,
        score=scored.score,
        outcome="scored",
        tie=scored.tie,
        empty=scored.empty,
        capped=record.get("finish") == "length",
    )


def _keep_key(item: CompiledItem) -> CompiledItem:
    """The item without its texts: what a scorer needs, so that many items fit into memory."""
    return cast("CompiledItem", {name: item[name] for name in ("answer_index", "references") if name in item})


def _names(item: CompiledItem) -> list[str]:
    return item_names(item["global_item_id"], item["passage_id"], item["overlap_group_ids"])


def _settle_clusters(scores: list[ItemScore], book: ClusterBook) -> list[ItemScore]:
    return [replace(score, cluster=book.find(score.cluster)) for score in scores]
