"""Group numbers of lm-eval, computed again by the rule of the version that wrote them.

Source: ``lm_eval/api/metrics.py``. A group's value is Σ mᵢwᵢ / Σ wᵢ over its tasks, w the number of samples or 1. Its
standard error is √(Σ (nᵢ−1) seᵢ² nᵢ / (N−k) / N) when weighted by size; unweighted, the same before 0.4.13 and
√(Σ seᵢ²) / k from 0.4.13 on.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchproof.interop.lm_eval.results import read_numbers, read_version
from benchproof.records.imported import ReportedNumber
from benchproof.rulebook import Finding, Severity
from benchproof.scores.imported_sheet import is_same

FIRST_UNPOOLED = (0, 4, 13)


class Member(NamedTuple):
    """One task of a group: its value, its standard error where it has one, its samples."""

    value: float
    stderr: float | None
    samples: int


def aggregate_values(members: Sequence[Member], *, weighted: bool) -> float:
    """The group's value."""
    weights = [member.samples if weighted else 1 for member in members]
    return math.fsum(member.value * weight for member, weight in zip(members, weights, strict=True)) / sum(weights)


def pool_errors(members: Sequence[Member]) -> float | None:
    """The pooled standard error; ``None`` where a member has none, or there are no more samples than members."""
    errors = [member.stderr for member in members]
    total = sum(member.samples for member in members)
    if None in errors or total <= len(members):
        return None
    within = math.fsum((member.samples - 1) * (member.stderr or 0.0) ** 2 * member.samples for member in members)
    return math.sqrt(within / (total - len(members)) / total)


def average_errors(members: Sequence[Member]) -> float | None:
    """The standard error of a plain mean of independent values; ``None`` where a member has none."""
    if any(member.stderr is None for member in members):
        return None
    return math.sqrt(math.fsum((member.stderr or 0.0) ** 2 for member in members)) / len(members)


def check_groups(document: Mapping[str, Any], place: str) -> Iterator[Finding]:
    """Each group number against its tasks' numbers under both weightings and the rule of the log's version."""
    subtasks = document.get("group_subtasks")
    if not isinstance(subtasks, dict):
        return
    for group, tasks in subtasks.items():
        leaves = _list_leaves(group, subtasks, depth=0)
        if not isinstance(tasks, list) or not leaves or group not in document["results"]:
            continue
        for number in read_numbers(document, group, place):
            members = [_find_member(document, task, number["source"], place) for task in leaves]
            if number["value"] is not None and members and None not in members:
                yield from _check_group(document, group, number, [member for member in members if member is not None])


def _check_group(
    document: Mapping[str, Any], group: str, number: ReportedNumber, members: Sequence[Member]
) -> Iterator[Finding]:
    values = {weighted: aggregate_values(members, weighted=weighted) for weighted in (True, False)}
    fitting = [weighted for weighted, value in values.items() if is_same(value, number["value"])]
    yield from i024_group_number(group, number, members, fitting, version=read_version(document))
    yield from i026_pooled_error_unweighted(group, number, members, fitting, version=read_version(document))


def i024_group_number(
    group: str, number: ReportedNumber, members: Sequence[Member], fitting: Sequence[bool], *, version: str
) -> Iterator[Finding]:
    """A group's value is a mean of its tasks, and its standard error what that version makes of theirs.

    ``fitting``: the weightings (by size or not) under which the value is that mean.
    """
    if not fitting:
        both = [aggregate_values(members, weighted=weighted) for weighted in (True, False)]
        yield Finding(
            number["place"],
            "I024",
            f"the group {group} is no mean of its tasks, weighted by size or not",
            got=f"{number['value']}",
            expected=f"{both[0]:.6g} or {both[1]:.6g}",
        )
        return
    stated = number.get("stderr")
    if stated is None:
        return
    is_pooled = read_order(version) < FIRST_UNPOOLED
    errors = [pool_errors(members) if weighted or is_pooled else average_errors(members) for weighted in fitting]
    if not any(error is not None and is_same(error, stated) for error in errors):
        yield Finding(
            number["place"],
            "I024",
            f"the standard error of the group {group} is not what lm-eval {version} computes",
            got=f"{stated:.6g}",
            expected=" or ".join(f"{error:.6g}" for error in errors if error is not None) or "none",
        )


def i026_pooled_error_unweighted(
    group: str, number: ReportedNumber, members: Sequence[Member], fitting: Sequence[bool], *, version: str
) -> Iterator[Finding]:
    """Before 0.4.13 an unweighted group was printed with the standard error of a weighted one."""
    stated, right = number.get("stderr"), average_errors(members)
    if stated is None or right is None or read_order(version) >= FIRST_UNPOOLED or list(fitting) != [False]:
        return
    if not is_same(right, stated):
        yield Finding(
            number["place"],
            "I026",
            f"the group {group} is not weighted by size, and its standard error is that of one that is",
            got=f"{stated:.6g}",
            expected=f"{right:.6g}, as lm-eval computes it from 0.4.13 on",
            severity=Severity.WARNING,
        )


def _list_leaves(group: str, subtasks: Mapping[str, Any], *, depth: int) -> list[str]:
    listed = subtasks.get(group)
    if not isinstance(listed, list) or not listed or depth > 20:
        return [] if depth == 0 else [group]
    leaves = [
        leaf for task in listed if isinstance(task, str) for leaf in _list_leaves(task, subtasks, depth=depth + 1)
    ]
    return list(dict.fromkeys(leaves))


def _find_member(document: Mapping[str, Any], task: str, source: str, place: str) -> Member | None:
    if task not in document["results"]:
        return None
    number = next((one for one in read_numbers(document, task, place) if one["source"] == source), None)
    if number is None or number["value"] is None or not number.get("n"):
        return None
    return Member(number["value"], number.get("stderr"), number["n"])


def read_order(version: str) -> tuple[int, ...]:
    """A version as numbers that can be compared; a part that is none counts as 0."""
    parts = version.split(".")[:3]
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in parts)
