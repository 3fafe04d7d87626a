"""A run plan as text for people and as plain data for programs."""

from typing import Any

from benchproof.harness.planning import RunPlan

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


def render_plan(plan: RunPlan) -> str:
    """A plan as a person reads it."""
    lines = [f"{plan.bench} {plan.bench_version} on {plan.model_spec} ({plan.model_id})"]
    for axis in plan.axes:
        excluded = f" ({axis.excluded} excluded)" if axis.excluded else ""
        candidates = f", {axis.continuations} candidates" if axis.continuations else ""
        lines.append(
            f"  {axis.axis_key:<16} {axis.items} items{excluded}, {axis.calls} calls{candidates}, "
            f"tokens {_or_unknown(axis.tokens)}, time {describe_seconds(axis.seconds)}   items {axis.selection}"
        )
    hours = plan.hours
    lines.append(
        f"  total            {plan.items} items, tokens {_or_unknown(plan.tokens)}, cost 0, "
        f"time {describe_seconds(None if hours is None else hours * 3600)}"
        f" (budget {describe_seconds(plan.max_wall_seconds)})"
    )
    if plan.timed_by:
        lines.append(f"  time is that of {', '.join(plan.timed_by)}")
    if plan.sealed:
        lines.append(f"  a sealed run of the same is here: {plan.sealed}")
    lines += [f"  will not run: {what}: {why}" for what, why in plan.will_not_run]
    lines += [f"  too long: {misfit}" for misfit in plan.misfits]
    lines += [f"  note: {note}" for note in plan.notes]
    return "\n".join(lines)


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
