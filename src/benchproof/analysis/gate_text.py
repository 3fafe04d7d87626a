"""A gate as text: what differs, the verdict, a line an axis, and what it would take to decide the rest."""

from collections.abc import Iterable, Iterator, Sequence

from benchproof.analysis.contrast_parts import Side
from benchproof.analysis.contrast_text import say_what_differs
from benchproof.analysis.gate_parts import AxisGate, Gate, Verdict
from benchproof.analysis.gate_power import ItemsToDecide
from benchproof.results import (
    NOTHING,
    count_things,
    draw_grid,
    explain_flags,
    show_level,
    show_p,
    show_points,
    show_signed_points,
    show_value,
    wrap_text,
)

HEADS = ("axis", "verdict", "reference", "candidate", "change", "at least", "at most", "p", "gains", "losses", "pairs",
         "clusters", "tags")  # fmt: skip
FIGURES = range(2, len(HEADS) - 1)


def render_gate(gate: Gate, *, width: int | None = None) -> str:
    """The gate as text; ``width`` is the terminal's."""
    lines = [
        *wrap_text(write_gate_headline(gate), width, at_entries=True),
        *wrap_text(write_gate_verdict(gate), width),
        *draw_grid([_list_side("reference", gate.reference), _list_side("candidate", gate.candidate)], width=width),
        "",
        *draw_grid([HEADS, *map(list_axis_cells, gate.axes)], figures=FIGURES, width=width),
        *(line for remark in list_remarks(gate) for line in wrap_text(remark, width)),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_gate_headline(gate: Gate) -> str:
    """``clean: …`` or ``confounded by: …``, from the reference to the candidate."""
    return say_what_differs([(axis.axis_key, axis.differences) for axis in gate.axes], is_same_model=gate.is_same_model)


def write_gate_verdict(gate: Gate) -> str:
    """``pass: …``, ``fail: …`` or ``cannot tell: …`` with the axes."""
    return f"{gate.verdict}: {say_verdict(gate)}"


def say_verdict(gate: Gate) -> str:
    """What the verdict says, by the axes that have it."""
    margin = show_margin(gate)
    if gate.verdict == "pass":
        return f"no loss of {margin} or more on {_name(gate, 'pass')}"
    if gate.verdict == "fail":
        return f"a loss of more than {margin} on {_name(gate, 'fail')}"
    return f"whether {margin} or more are lost on {_name(gate, 'cannot tell')}"


def show_margin(gate: Gate) -> str:
    """The margin in the axes' unit."""
    points = all(axis.unit == "fraction" for axis in gate.axes)
    return f"{show_points(gate.margin)} points" if points else f"{gate.margin:g}"


def list_axis_cells(axis: AxisGate) -> list[str]:
    """One axis under ``HEADS``."""
    side = axis.below if axis.verdict == "fail" else axis.above
    return [
        axis.axis_key,
        axis.verdict,
        show_value(axis.mean_reference, axis.unit) if axis.n else NOTHING,
        show_value(axis.mean_candidate, axis.unit) if axis.n else NOTHING,
        _show_change(axis.change, axis.unit),
        _show_change(None if axis.above is None else axis.above.bound, axis.unit),
        _show_change(None if axis.below is None else axis.below.bound, axis.unit),
        NOTHING if side is None else show_p(side.p_holm),
        NOTHING if axis.gains is None else f"{axis.gains:,}",
        NOTHING if axis.losses is None else f"{axis.losses:,}",
        f"{axis.n}/{axis.planned}",
        f"{axis.clusters}",
        axis.tag,
    ]


def list_remarks(gate: Gate) -> list[str]:
    """Sentences beneath the figures."""
    tested = [axis for axis in gate.axes if axis.above is not None]
    return [
        *(f"{axes}: cannot tell, {why}." for why, axes in _group_reasons(gate).items()),
        *_say_worse(gate),
        *_say_missing(gate),
        *([f"Only in the candidate, not gated: {', '.join(gate.not_gated)}."] if gate.not_gated else []),
        *([f"Allowed to differ: {', '.join(gate.allowed)}."] if gate.allowed else []),
        *_say_methods(gate, tested),
        *explain_flags({flag for axis in tested for flag in axis.flags}),
    ]


def _group_reasons(gate: Gate) -> dict[str, str]:
    """Why nothing can be told → the axes of which it is so, joined."""
    found: dict[str, list[str]] = {}
    for axis in gate.axes:
        if axis.verdict == "cannot tell":
            found.setdefault(say_why(axis), []).append(axis.axis_key)
    return {why: _join(keys) for why, keys in found.items()}


def say_why(axis: AxisGate) -> str:
    """Why nothing can be told of an axis, and what would decide it; no name of the axis is in it."""
    words = "; ".join(axis.reasons)
    if axis.blocked_by:
        keys = " ".join(f"--allow {key}" for key in axis.blocked_by)
        return f"{words} (`{keys}` lets {'it' if len(axis.blocked_by) == 1 else 'them'} differ)"
    items = axis.items
    if items is None:
        return words
    needed = ", ".join(_say_items(axis, items))
    words = f"{words}: {needed}" if needed else words
    if items.margin is None:
        return words
    margin = f"{show_points(items.margin)} points" if axis.unit == "fraction" else f"{items.margin:.3g}"
    return f"{words}; {count_things(axis.n, 'item')} can decide a margin of {margin}"


def _say_items(axis: AxisGate, items: ItemsToDecide) -> Iterator[str]:
    """How many items would decide, if nothing is lost and if the change is what was seen."""
    chance = f"with a chance of {show_level(items.power)}"
    if items.if_alike is not None:
        often = "would be" if items.if_alike > axis.n else "are"
        yield f"about {items.if_alike:,} items {often} enough {chance} if nothing is lost"
    if items.if_as_seen is not None and items.if_as_seen != items.if_alike:
        change = _show_change(axis.change, axis.unit)
        yield f"about {items.if_as_seen:,} would {items.as_seen} if the change is {change}"


def _say_worse(gate: Gate) -> list[str]:
    worse = [axis.axis_key for axis in gate.axes if axis.verdict != "fail" and axis.is_worse]
    return [f"Worse, though not shown to be by more than the margin: {', '.join(worse)}."] if worse else []


def _say_missing(gate: Gate) -> list[str]:
    missing = [f"{axis.axis_key} {axis.missing:,}" for axis in gate.axes if axis.missing]
    if not missing:
        return []
    return [f"Scored in one run alone, and counted against either verdict: {', '.join(missing)}."]


def _say_methods(gate: Gate, tested: Sequence[AxisGate]) -> list[str]:
    if not tested:
        return []
    family = f", Holm over {count_things(len(tested), 'axis', 'axes')}" if len(tested) > 1 else ""
    turned = ", turned round where lower is better" if any(axis.lower_is_better for axis in tested) else ""
    points = " in points" if all(axis.unit == "fraction" for axis in tested) else ""
    methods = "; ".join(dict.fromkeys(_say_method(axis) for axis in tested))
    score = ", with Tango's score test of the flips" if all(axis.gains is not None for axis in tested) else ""
    return [
        f"change: candidate − reference over paired items{points}{turned}. at least, at most: one-sided bounds,"
        f" {show_level(gate.level)}{family}; {methods}{score}.",
        f"pass: at least above {_show_change(-gate.margin, tested[0].unit)}. fail: at most below it."
        f" p: of the side that decides{', adjusted' if family else ''}.",
    ]


def _say_method(axis: AxisGate) -> str:
    reason = axis.method.removeprefix("no interval: ")
    return axis.method.replace(", t(", " t(") if reason == axis.method else f"no t interval ({reason})"


def _show_change(change: float | None, unit: str) -> str:
    if change is None:
        return NOTHING
    return show_signed_points(change) if unit == "fraction" else f"{change:+.4g}"


def _name(gate: Gate, verdict: Verdict) -> str:
    return _join(axis.axis_key for axis in gate.axes if axis.verdict == verdict)


def _join(names: Iterable[str]) -> str:
    return ", ".join(names)


def _list_side(name: str, side: Side) -> list[str]:
    sealed = f"sealed {side.sealed_at[:10]}{'  synthetic' if side.synthetic else ''}"
    return [name, side.model, side.run, sealed]
