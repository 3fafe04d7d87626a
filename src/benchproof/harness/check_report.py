"""A bench check as text for people and as plain data for programs."""

from dataclasses import asdict
from typing import Any

from benchproof.harness.checking import AxisFacts, BenchCheck
from benchproof.harness.control_lints import Floor
from benchproof.rulebook import Severity


def render_check(check: BenchCheck) -> str:
    """The report that a person reads: findings, what each axis holds, what knows-nothing models score."""
    lines = [_title(check)]
    lines += [f"note: {note}" for note in check.notes]
    lines += [
        f"does not run: {each.axis}{'.' + each.language if each.language else ''}: {each.reason} ({each.detail})"
        for each in check.dropped
    ]
    for facts in check.axes:
        lines += ["", _describe_axis(facts)]
        lines += [_describe_floor(floor) for floor in check.floors if floor.axis_key == facts.axis_key]
    if check.floors:
        every = sum(len(items) for items in check.solved_by_all.values())
        lines += ["", f"items that every control solves: {every}; intervals: 95 %, by cluster (passage)"]
        lines.append("above chance (B047): tested at 5 % for all controls and choice axes together")
    lines.append("")
    lines += [f"{finding.severity.value}: {finding}" for finding in check.findings]
    errors = sum(finding.severity is Severity.ERROR for finding in check.findings)
    warnings = sum(finding.severity is Severity.WARNING for finding in check.findings)
    lines.append(f"{_count(errors, 'error')}, {_count(warnings, 'warning')}")
    return "\n".join(lines)


def describe_check(check: BenchCheck) -> dict[str, Any]:
    """The report as JSON values."""
    described = asdict(check)
    described["path"] = str(check.path)
    for facts in described["axes"]:
        facts["positions"] = {str(position): count for position, count in facts["positions"].items()}
    return described


def _title(check: BenchCheck) -> str:
    if check.name is None:
        return str(check.path)
    draft = " (draft)" if check.bench_version and check.bench_version.startswith("0.") else ""
    digest = f"   digest {check.digest[:12]}…" if check.digest else ""
    return f"{check.name} {check.bench_version}{draft}   {check.path}{digest}"


def _describe_axis(facts: AxisFacts) -> str:
    parts = [f"{facts.axis_key}  {facts.metric}", _count(facts.items, "item")]
    if facts.excluded:
        parts.append(f"{facts.excluded} excluded")
    if facts.shots:
        parts.append(_count(facts.shots, "demonstration"))
    parts.append("registers " + ", ".join(f"{name} {count}" for name, count in facts.registers.items()))
    if facts.positions:
        parts.append("right choice " + ", ".join(f"{count} at {p}" for p, count in facts.positions.items()))
    return " · ".join(parts)


def _describe_floor(floor: Floor) -> str:
    number = floor.number
    name = f"  control:{floor.control:<9}"
    if number["value"] is None:
        return f"{name} –  0/{number['planned']}"
    bounds = number["interval"]
    interval = f"{bounds[0] * 100:.1f}–{bounds[1] * 100:.1f}" if bounds else number["method"]
    chance = f"   chance {number['chance']:.1%}" if number["chance"] is not None else ""
    solved = f"{len(floor.solved)}/{number['denominator']}"
    return f"{name} {number['value']:>6.1%}  {interval:>11}  {solved:>7}{chance}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
