"""Rows of the frame ``items`` from an axis that was imported: every item under every metric that has items."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from benchproof.archive import Line, SealedRun
from benchproof.frames.sized_rows import SizedRow
from benchproof.records.imported import ImportedMetric, ImportedRecord
from benchproof.scores import AS_REPORTED, judge_item


def list_imported_rows(run: SealedRun, axis_key: str) -> Iterator[SizedRow]:
    """One row an item and metric, by item id and then in the axis's order of metrics."""
    metrics = [metric for metric in run.imported_axis(axis_key)["metrics"] if metric["rule"] != AS_REPORTED]
    for line, value in run.records(axis_key):
        record = cast("ImportedRecord", value)
        stated = state_record(line, record)
        for metric in metrics:
            yield SizedRow({**stated, **_state_score(record, metric)}, line.length)


def state_record(line: Line, record: ImportedRecord) -> dict[str, Any]:
    """The columns that an item has under every metric."""
    first: Mapping[str, Any] = record["samples"][0] if record["samples"] else {}
    gold = record["gold"]
    choices = first.get("candidates")
    positions = [one for one in gold if isinstance(one, int)]
    texts = [one for one in gold if isinstance(one, str)]
    return {
        "item_id": record["item_id"],
        "question_id": record["content_sha256"],
        "cluster": f"item:{record['item_id']}",
        "choices": None if choices is None else [each["text"] for each in choices],
        "answer_index": positions[0] if len(positions) == 1 else None,
        "references": texts or None,
        "asked": len(record["samples"]),
        "reason": first.get("reason"),
        "finish": first.get("finish"),
        "record_sha256": line.sha256,
    }


def _state_score(record: ImportedRecord, metric: ImportedMetric) -> dict[str, Any]:
    judged = judge_item(record, metric)
    is_choice = judged.score.outcome == "scored" and judged.score.choices is not None
    return {
        "metric": metric["metric"],
        "outcome": judged.score.outcome,
        "score": judged.score.score,
        "logged": judged.logged,
        "tie": judged.score.tie if is_choice else None,
    }
