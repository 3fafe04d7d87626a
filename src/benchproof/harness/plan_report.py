"""A run plan as text for people and as plain data for programs."""

from typing import Any

from benchproof.harness.planning import AxisPlan, RunPlan
from benchproof.results import label_text, wrap_text

SHORTEST_WAIT = 1.0


def describe_plan(plan: RunPlan) -> dict[str, Any]:
    """A plan as JSON values; what is unknown is ``null``."""
    return {
        "bench": plan.bench,
        "bench_version": plan.bench_version,
        "model": plan.model_spec,
        "model_id": plan.model_id,
        "axes": [
            {
                "axis": axis.axis_key,
                "type": axis.type,
                "selection": axis.selection,
                "items": axis.items,
                "excluded": axis.excluded,
                "calls": axis.calls,
                "continuations": axis.continuations,
                "tokens": axis.tokens,
                "seconds": axis.seconds,
            }
            for axis in plan.axes
        ],
        "items": plan.items,
        "tokens": plan.tokens,
        "hours": plan.hours,
        "timed_by": list(plan.timed_by),
        "sealed": plan.sealed,
        "will_not_run": [{"what": what, "why": why} for what, why in plan.will_not_run],
        "do_not_fit": [
            {
                "axis": misfit.axis_key,
                "context_window": misfit.window,
                "items": [{"item": item, "tokens": tokens} for item, tokens in misfit.too_long],
            }
            for misfit in plan.misfits
        ],
        "max_wall_seconds": plan.max_wall_seconds,
    }


def render_plan(plan: RunPlan, *, width: int | None = None) -> str:
    """A plan as a person reads it; ``width`` is that of the terminal."""
    labels = max(len(name) for name in ("total", *(axis.axis_key for axis in plan.axes)))
    lines = wrap_text(f"{plan.bench} {plan.bench_version} on {plan.model_spec} ({plan.model_id})", width)
    for axis in plan.axes:
        lines += label_text(axis.axis_key.ljust(labels), _describe_axis(axis), f"items {axis.selection}", width=width)
    hours = plan.hours
    total = (
        f"{plan.items} items, tokens {_or_unknown(plan.tokens)}, cost 0, "
        f"time {describe_seconds(None if hours is None else hours * 3600)}"
        f" (budget {describe_seconds(plan.max_wall_seconds)})"
    )
    lines += label_text("total".ljust(labels), total, width=width)
    notes = [f"time is that of {', '.join(plan.timed_by)}"] if plan.timed_by else []
    notes += [f"a sealed run of the same is here: {plan.sealed}"] if plan.sealed else []
    notes += [f"will not run: {what}: {why}" for what, why in plan.will_not_run]
    notes += [f"too long: {misfit}" for misfit in plan.misfits]
    notes += [f"note: {note}" for note in plan.notes]
    lines += [line for note in notes for line in wrap_text(f"  {note}", width, indent=4)]
    return "\n".join(lines)


def _describe_axis(axis: AxisPlan) -> str:
    excluded = f" ({axis.excluded} excluded)" if axis.excluded else ""
    candidates = f", {axis.continuations} candidates" if axis.continuations else ""
    return (
        f"{axis.items} items{excluded}, {axis.calls} calls{candidates}, tokens {_or_unknown(axis.tokens)}, "
        f"time {describe_seconds(axis.seconds)}"
    )


def describe_seconds(seconds: float | None) -> str:
    """A duration in the unit that a person would use."""
    if seconds is None:
        return "unknown"
    if seconds < SHORTEST_WAIT:
        return "< 1 s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _or_unknown(value: int | None) -> str:
    return "unknown" if value is None else str(value)
