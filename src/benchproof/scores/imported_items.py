"""One score an item and metric from the records of an imported axis: its samples' mean, or as the log reduces them.

Laws: a sample that the harness left unscored, or that a rule cannot score, is unparsed, never a zero; an errored one
is errored. Each item is a cluster of its own: a log does not say which items share a passage.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from benchproof.measure import MeasureError
from benchproof.measure.inspect_stats import reduce_epochs
from benchproof.records.imported import ImportedAxis, ImportedMetric, ImportedRecord, ImportedSample
from benchproof.records.run import AxisOfRun
from benchproof.scores.errors import EvidenceError
from benchproof.scores.imported_rules import AS_REPORTED, AS_SCORED, IMPORTED_RULES
from benchproof.scores.score_columns import ItemOutcome, ItemScore


class ImportedEvidence(Protocol):
    """What scoring reads of a run that was imported; ``archive.SealedRun`` is one."""

    @property
    def id(self) -> str:
        """The run's id."""
        ...

    def imported_axis(self, axis_key: str, /) -> ImportedAxis:
        """The axis as the log states it."""
        ...

    def axis_of_run(self, axis_key: str, /) -> AxisOfRun:
        """What the manifest states of the axis."""
        ...

    def records(self, axis_key: str, /) -> Iterator[tuple[Any, Any]]:
        """Each record with where it stands."""
        ...


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """One item under one metric: our score beside the log's own.

    ``logged`` is the mean of the log's scores over the samples that it scored, ``None`` where it scored none. ``fault``
    says why the rule could not be applied to what the log has. ``content`` is the digest of what was asked; ``samples``
    how often the log has it.
    """

    score: ItemScore
    logged: float | None
    content: str
    fault: str | None = None
    samples: int = 1


def judge_imported_axis(run: ImportedEvidence, axis_key: str) -> dict[str, list[JudgedItem]]:
    """Every recorded item under every metric of the axis that has items, by metric, in one pass; items by id."""
    axis = run.imported_axis(axis_key)
    metrics = [metric for metric in axis["metrics"] if metric["rule"] != AS_REPORTED]
    judged: dict[str, list[JudgedItem]] = {metric["metric"]: [] for metric in metrics}
    for _, record in run.records(axis_key):
        for metric in metrics:
            judged[metric["metric"]].append(judge_item(record, metric))
    return judged


def score_imported_axis(run: ImportedEvidence, axis_key: str) -> dict[str, list[ItemScore]]:
    """The scores alone, by metric; planned items without a record are not in it."""
    return {metric: [one.score for one in items] for metric, items in judge_imported_axis(run, axis_key).items()}


def judge_item(record: ImportedRecord, metric: ImportedMetric) -> JudgedItem:
    """One record under one metric."""
    rule = IMPORTED_RULES.get(metric["rule"])
    if rule is None:
        raise EvidenceError("there is no such rule of imported metrics", place=record["item_id"], got=metric["rule"])
    scores: list[float] = []
    tie, fault = False, None
    for sample in record["samples"]:
        if sample["outcome"] != "answered":
            continue
        try:
            scored = rule.score_sample(record, sample, metric)
        except MeasureError as error:
            fault = str(error)
            continue
        if scored is not None:
            scores.append(scored.score)
            tie |= scored.tie
    reduced = reduce_epochs(scores, metric.get("reducer", "mean"))
    score = ItemScore(
        item_id=record["item_id"],
        score=reduced,
        outcome=_find_outcome(record, reduced),
        cluster=record["item_id"],
        register=None,
        choices=_count_choices(record),
        tie=tie,
        empty=any("empty" in sample.get("flags", ()) for sample in record["samples"]),
        capped=any(sample.get("finish") == "length" for sample in record["samples"]),
    )
    logged = _average_logged(record["samples"], metric)
    return JudgedItem(score, logged, record["content_sha256"], fault, len(record["samples"]))


def _find_outcome(record: ImportedRecord, score: float | None) -> ItemOutcome:
    if score is not None:
        return "scored"
    return "unparsed" if record["outcome"] == "answered" else cast("ItemOutcome", record["outcome"])


def _count_choices(record: ImportedRecord) -> int | None:
    counts = {len(sample["candidates"]) for sample in record["samples"] if "candidates" in sample}
    return counts.pop() if len(counts) == 1 and min(counts) >= 1 else None


def _average_logged(samples: Sequence[ImportedSample], metric: ImportedMetric) -> float | None:
    logged = [sample["scores"].get(metric["source"]) for sample in samples]
    known = [value for value in logged if value is not None]
    return reduce_epochs(known, metric.get("reducer", "mean"))


def is_recomputed(metric: ImportedMetric) -> bool:
    """Whether the metric is judged again from likelihoods or answers, rather than averaged or repeated."""
    return metric["rule"] not in (AS_SCORED, AS_REPORTED)
