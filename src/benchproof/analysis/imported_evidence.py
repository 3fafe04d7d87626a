"""The scored items of an imported axis, and what was answered on them, for a contrast.

An item is told by the digest of its content, so that runs of one benchmark pair whatever the harness called it. The
contrast is of the axis' first metric that is computed or averaged from items.
"""

from collections.abc import Collection
from typing import Any, cast

from benchproof.analysis.pairing import ScoredItem
from benchproof.records.imported import ImportedMetric, ImportedRecord
from benchproof.scores.imported_items import ImportedEvidence, judge_item
from benchproof.scores.imported_rules import AS_REPORTED


def find_paired_metric(run: ImportedEvidence, axis_key: str) -> ImportedMetric | None:
    """The metric that a contrast of this axis is of; ``None`` where the log has no items."""
    metrics = run.imported_axis(axis_key)["metrics"]
    return next((metric for metric in metrics if metric["rule"] != AS_REPORTED), None)


def read_imported_items(run: ImportedEvidence, axis_key: str) -> list[ScoredItem]:
    """Every recorded item of an imported axis with its score."""
    metric = find_paired_metric(run, axis_key)
    if metric is None:
        return []
    judged = [judge_item(cast("ImportedRecord", record), metric) for _, record in run.records(axis_key)]
    return [ScoredItem(one.score.item_id, one.score.score, one.content, one.score.cluster) for one in judged]


def read_imported_answers(run: ImportedEvidence, axis_key: str, wanted: Collection[str]) -> dict[str, str]:
    """What was answered on these items: the likeliest choice, or what was extracted."""
    return {
        record["item_id"]: _describe_answer(record)
        for _, record in run.records(axis_key)
        if record["item_id"] in wanted
    }


def read_imported_keys(run: ImportedEvidence, axis_key: str, wanted: Collection[str]) -> dict[str, str]:
    """The right answers of these items."""
    return {
        record["item_id"]: _describe_key(record) for _, record in run.records(axis_key) if record["item_id"] in wanted
    }


def _describe_answer(record: dict[str, Any]) -> str:
    sample = record["samples"][0]
    candidates = sample.get("candidates", [])
    if candidates:
        known = [one for one in candidates if one["logprob"] is not None]
        return str(max(known, key=lambda one: one["logprob"])["text"]) if known else "no finite likelihood"
    extracted = [text for text in sample.get("extracted", {}).values() if text is not None]
    return str(extracted[0]) if extracted else record["outcome"]


def _describe_key(record: dict[str, Any]) -> str:
    candidates = record["samples"][0].get("candidates", [])
    right = [
        candidates[key]["text"] if isinstance(key, int) and 0 <= key < len(candidates) else str(key)
        for key in record["gold"]
    ]
    return " | ".join(right)
