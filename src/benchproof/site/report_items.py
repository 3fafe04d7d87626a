"""The items of one axis as the page shows them, behind the publication guard and under a stated cap."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from benchproof.proof import ItemTrace, PublicationDecision, decide_publication
from benchproof.site.report_data import ReportAxis
from benchproof.site.text_direction import text_direction

DEFAULT_ITEM_LIMIT = 200
FILTERS = ("right", "wrong", "partly", "tie", "not scored")


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item on the page. ``groups`` are the filters that show it; ``number`` makes its anchor."""

    number: int
    trace: ItemTrace
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AxisItems:
    """The items of one axis in one language; ``shown`` of ``total`` are on the page, first by item id.

    ``counts`` are of all items, not of those shown. Where ``decision`` does not allow it no text is on the page.
    """

    axis_key: str
    title: str
    language: str
    direction: str
    benchmark: str
    metric: str
    data_file: str
    decision: PublicationDecision
    tag: str | None
    counts: tuple[tuple[str, int], ...]
    items: tuple[ItemView, ...]
    shown: int
    total: int


def build_axis_items(axis: ReportAxis, tag: str | None, limit: int | None) -> AxisItems:
    """Read the axis's traces once; keep the first ``limit`` (``None``: all) and count the rest."""
    counts = dict.fromkeys(FILTERS, 0)
    traces = iter(axis.traces)
    kept: list[ItemView] = []
    for number, trace in enumerate(islice(traces, limit), start=1):
        groups = _group(trace)
        kept.append(ItemView(number, trace, groups))
        _count(counts, groups)
    total = len(kept)
    for trace in traces:
        total += 1
        _count(counts, _group(trace))
    resolved = axis.resolved
    return AxisItems(
        axis_key=axis.axis_key,
        title=resolved["axis"],
        language=resolved["language"],
        direction=text_direction(resolved["script"]),
        benchmark=resolved["benchmark"],
        metric=resolved["metric"],
        data_file=resolved["dataset"]["path"],
        decision=decide_publication(resolved["dataset"]),
        tag=tag,
        counts=tuple((name, count) for name, count in counts.items() if count),
        items=tuple(kept),
        shown=len(kept),
        total=total,
    )


def _group(trace: ItemTrace) -> tuple[str, ...]:
    tie = trace.choice is not None and trace.choice.tie
    return (trace.verdict, "tie") if tie else (trace.verdict,)


def _count(counts: dict[str, int], groups: Iterable[str]) -> None:
    for group in groups:
        counts[group] += 1
