"""A bench check as text for people and as plain data for programs."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from benchproof.harness.checking import AxisFacts, BenchCheck
from benchproof.harness.control_lints import Floor
from benchproof.results import count_things, draw_grid, show_interval, show_value, wrap_text
from benchproof.rulebook import Severity


def render_check(check: BenchCheck, *, width: int | None = None) -> str:
    """The report that a person reads: findings, what each axis holds, what knows-nothing models score.

    ``width`` is that of the terminal.
    """
    lines = [*_title(check, width), *(f"note: {note}" for note in check.notes)]
    lines += [
        f"does not run: {each.axis}{'.' + each.language if each.language else ''}: {each.reason} ({each.detail})"
        for each in check.dropped
    ]
    for facts in check.axes:
        floors = [floor for floor in check.floors if floor.axis_key == facts.axis_key]
        lines += ["", *wrap_text(_describe_axis(facts, floors), width, at_entries=True), *_draw_floors(floors, width)]
    if check.floors:
        every = sum(len(items) for items in check.solved_by_all.values())
        lines += [
            "",
            *wrap_text(f"intervals: 95 %, by clusters (passages). Items that every control solves: {every}.", width),
            *wrap_text("A control above chance is warned of (B047): 5 % over all controls and choice axes.", width),
        ]
    lines.append("")
    lines += [f"{finding.severity.value}: {finding}" for finding in check.findings]
    errors = sum(finding.severity is Severity.ERROR for finding in check.findings)
    warnings = sum(finding.severity is Severity.WARNING for finding in check.findings)
    lines.append(f"{count_things(errors, 'error')}, {count_things(warnings, 'warning')}")
    return "\n".join(lines)


def describe_check(check: BenchCheck) -> dict[str, Any]:
    """The report as JSON values."""
    described = asdict(replace(check, floors=(), solved_by_all={}))
    described["floors"] = [
        {"axis_key": each.axis_key, "control": each.control, "number": each.number, "solved": list(each.solved)}
        for each in check.floors
    ]
    described["solved_by_all"] = {key: list(solved) for key, solved in check.solved_by_all.items()}
    described["path"] = str(check.path)
    for facts in described["axes"]:
        facts["positions"] = {str(position): count for position, count in facts["positions"].items()}
    return described


def _title(check: BenchCheck, width: int | None) -> list[str]:
    if check.name is None:
        return [str(check.path)]
    draft = " (draft)" if check.bench_version and check.bench_version.startswith("0.") else ""
    digest = f"   digest {check.digest[:12]}…" if check.digest else ""
    return wrap_text(f"{check.name} {check.bench_version}{draft}   {check.path}{digest}", width)


def _describe_axis(facts: AxisFacts, floors: Sequence[Floor]) -> str:
    parts = [f"{facts.axis_key}  {facts.metric}", count_things(facts.items, "item")]
    if facts.excluded:
        parts.append(f"{facts.excluded} excluded")
    if facts.shots:
        parts.append(count_things(facts.shots, "demonstration"))
    parts.append("registers " + ", ".join(f"{name} {count}" for name, count in facts.registers.items()))
    if facts.positions:
        parts.append("right choice " + ", ".join(f"{count} at {p}" for p, count in facts.positions.items()))
    chances = {floor.number["chance"] for floor in floors} - {None}
    parts += [f"chance {show_value(chance, 'fraction')}" for chance in sorted(filter(None, chances))]
    return " · ".join(parts)


def _draw_floors(floors: Sequence[Floor], width: int | None) -> list[str]:
    return draw_grid([_list_figures(floor) for floor in floors], figures=(1, 2, 3), width=width)


def _list_figures(floor: Floor) -> list[str]:
    number, bounds = floor.number, floor.number["interval"]
    interval = number["method"] if bounds is None else show_interval((bounds[0], bounds[1]), number["unit"])
    solved = f"{len(floor.solved)}/{number['denominator']}"
    return [f"  control:{floor.control}", show_value(number["value"], number["unit"]), interval, solved]
