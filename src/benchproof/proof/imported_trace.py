"""One item of an imported run: what the log has of it, under each metric, and where it stands in the kept bytes."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, cast

from benchproof.archive import SealedRun, records_path
from benchproof.proof.errors import UnknownItemError
from benchproof.proof.figures import shorten
from benchproof.proof.trace import Spot
from benchproof.records.imported import ImportedRecord, ImportedSample, Origin
from benchproof.results import label_text
from benchproof.rulebook import Finding
from benchproof.scores.imported_items import judge_item


@dataclass(frozen=True, slots=True)
class MetricOfItem:
    """One metric on the item: as computed here by ``rule``, and as the log has it; ``fault`` says why not here."""

    metric: str
    rule: str
    score: float | None
    logged: float | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class ImportedItemTrace:
    """One imported item from its record to the bytes that were kept; ``aliases`` are the harness' names of it."""

    item_id: str
    axis_key: str
    outcome: str
    content_sha256: str
    aliases: dict[str, str]
    gold: tuple[int | str, ...]
    metrics: tuple[MetricOfItem, ...]
    samples: tuple[ImportedSample, ...]
    record: Spot
    faults: tuple[Finding, ...] = ()


def trace_imported_item(run: SealedRun, axis_key: str, name: str) -> ImportedItemTrace:
    """The item of an id, or of the harness' own name for it where only one item has that.

    Raises:
        UnknownItemError: The axis has no such item, or several under that name.
    """
    metrics = [metric for metric in run.imported_axis(axis_key)["metrics"] if metric["rule"] != "as-reported"]
    found: list[ImportedItemTrace] = []
    ids: list[str] = []
    for line, value in run.records(axis_key):
        record = cast("ImportedRecord", value)
        ids.append(record["item_id"])
        if name != record["item_id"] and name not in record["aliases"].values():
            continue
        judged = [judge_item(record, metric) for metric in metrics]
        found.append(
            ImportedItemTrace(
                item_id=record["item_id"],
                axis_key=axis_key,
                outcome=record["outcome"],
                content_sha256=record["content_sha256"],
                aliases=record["aliases"],
                gold=tuple(record["gold"]),
                metrics=tuple(
                    MetricOfItem(metric["metric"], metric["rule"], one.score.score, one.logged, one.fault)
                    for metric, one in zip(metrics, judged, strict=True)
                ),
                samples=tuple(record["samples"]),
                record=Spot(records_path(axis_key), line.number, line.offset, line.length, line.sha256),
            )
        )
    exact = [one for one in found if one.item_id == name] or found
    if len(exact) == 1:
        return exact[0]
    near = [one.item_id for one in exact] or get_close_matches(name, ids, 3, 0.3) or ids[:3]
    raise UnknownItemError(
        "several items have this name in the log" if exact else "the run has no such item on this axis",
        place=f"{run.id} {axis_key}",
        got=name,
        expected=f"an item such as {' or '.join(near[:3])}" if near else "nothing: the axis has no items",
    )


def write_imported_item(item: ImportedItemTrace, width: int | None) -> list[str]:
    """The item as ``why --item`` shows it."""
    names = ", ".join(f"{key} {value}" for key, value in sorted(item.aliases.items()))
    lines = [f"{item.item_id} ({names}): {item.outcome}"]
    lines += label_text("content", shorten(item.content_sha256), width=width)
    lines += label_text("key", ", ".join(str(one) for one in item.gold) or "none in the log", width=width)
    for sample in item.samples:
        lines += _write_sample(item, sample, width)
    for metric in item.metrics:
        told = f"{_show(metric.score)} by {metric.rule}; {_show(metric.logged)} in the log"
        lines += label_text(
            "score", f"{metric.metric}: {told}{f' ({metric.fault})' if metric.fault else ''}", width=width
        )
    spot = item.record
    lines += label_text(
        "record", f"{spot.path} @ {spot.offset:,} (+{spot.length:,})  {shorten(spot.sha256)}", width=width
    )
    return lines


def _write_sample(item: ImportedItemTrace, sample: ImportedSample, width: int | None) -> list[str]:
    lines: list[str] = []
    if len(item.samples) > 1:
        lines.append(f"  sample {sample['number']}: {sample['outcome']}")
    for index, candidate in enumerate(sample.get("candidates", ())):
        logprob = "no number" if candidate["logprob"] is None else f"{candidate['logprob']:.4f}"
        key = "   ← key" if index in item.gold else ""
        lines.append(f"    {index}  {logprob:>10}   {candidate['text'][:200]!r}{key}")
    for name, text in sample.get("extracted", {}).items():
        lines += label_text(
            "answer",
            f"{'nothing' if text is None else repr(text[:500])}{f' by filter {name}' if name else ''}",
            width=width,
        )
    if "reason" in sample:
        lines += label_text("reason", sample["reason"], width=width)
    return lines + [line for origin in sample["origin"] for line in label_text("raw", _place(origin), width=width)]


def _place(origin: Origin) -> str:
    where = [
        f"{key} {cast('dict[str, Any]', origin)[key]}" for key in ("member", "line", "row", "pointer") if key in origin
    ]
    digest = f"  {shorten(origin['sha256'])}" if "sha256" in origin else ""
    return f"{origin['path']} {', '.join(where)}{digest}"


def _show(value: float | None) -> str:
    return "no score" if value is None else f"{value:.6g}"
