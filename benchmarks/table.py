"""The printed table and the ``--json`` document of one ``make bench``."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.comparison import Comparison, Goal

HEADS = ("goal", "work", "size", "beside", "unit", "ours", "peer", "limit", "×peer", "first goal", "met", "growth")
_LEFT = 5  # columns of words; figures stand to the right


def render_text(facts: Mapping[str, str], lines: Sequence[Comparison]) -> str:
    """Facts about machine and versions, the table, then what was measured against and the notes."""
    rows = [HEADS, *(_cells(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    table = ["  ".join(_pad(cell, widths[at], at) for at, cell in enumerate(row)).rstrip() for row in rows]
    others = dict.fromkeys(f"{line.id}: {_name_others(line)}" for line in lines if _name_others(line))
    notes = dict.fromkeys(f"{line.id} {line.work}, {line.size}: {line.note}" for line in lines if line.note)
    heads = [f"{name}: {value}" for name, value in facts.items()]
    return "\n".join([*heads, "", *table, "", *others, "", *notes]).rstrip("\n") + "\n"


def make_document(facts: Mapping[str, str], lines: Sequence[Comparison]) -> dict[str, Any]:
    """The same as data."""
    return {"schema_version": "1", "facts": dict(facts), "comparisons": [line.describe() for line in lines]}


def _cells(line: Comparison) -> tuple[str, ...]:
    met = {True: "yes", False: "no", None: "–"}[line.is_met]
    return (
        line.id,
        line.work,
        line.size,
        line.peer_name.partition(",")[0],
        line.unit,
        _number(line.ours),
        _number(line.peer),
        _number(line.limit),
        _number(line.ratio),
        _goal(line.goal, more_is_better=line.more_is_better),
        met if line.goal else "",
        "" if line.growth is None else f"{line.growth:.2f}",
    )


def _name_others(line: Comparison) -> str:
    peer = f"peer {line.peer_name}" if line.peer_name else ""
    limit = f"limit {line.limit_name}" if line.limit_name else ""
    return "; ".join(part for part in (peer, limit) if part)


def _goal(goal: Goal | None, *, more_is_better: bool) -> str:
    if goal is None:
        return ""
    if goal.against == "ours":
        return f"{'≥' if more_is_better else '≤'} {goal.value:g}"
    return f"≥ {goal.value:g} × {goal.against}"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"


def _pad(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column < _LEFT else cell.rjust(width)
