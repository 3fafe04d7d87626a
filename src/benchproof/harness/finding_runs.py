"""Find the run that a command means: a sealed one to reuse, or an open one to resume."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchproof.archive import ArchiveError, HandleError, OpenRunSummary, RunSummary, list_open_runs, list_runs
from benchproof.harness.errors import RunKeyError
from benchproof.harness.keys import shorten
from benchproof.harness.opening import find_differences, list_key_facts
from benchproof.records.run import RunOpening

SHOWN_DIFFERENCES = 5


def find_sealed_run(
    root: Path, opening: RunOpening, *, on_damage: Callable[[str, ArchiveError], None] | None = None
) -> RunSummary | None:
    """The newest sealed run with the key of ``opening`` that is complete and has no errored item."""
    facts = list_key_facts(opening)
    for summary in list_runs(root, on_damage=on_damage)[::-1]:
        manifest = summary.manifest
        errored = sum(axis["counts"].get("errored", 0) for axis in manifest["axes"])
        if not manifest["partial"] and not errored and not find_differences(facts, list_key_facts(manifest)):
            return summary
    return None


def find_open_run(
    root: Path,
    opening: RunOpening,
    resume: str | None,
    *,
    on_damage: Callable[[str, ArchiveError], None] | None = None,
) -> OpenRunSummary | None:
    """The open run to resume: the one named, or the newest with the key of ``opening``.

    Raises:
        HandleError: The named run is not open.
        RunKeyError: The named run, or the only open runs of this bench and model, were opened with something else.
    """
    runs = [run for run in list_open_runs(root, on_damage=on_damage) if not run.is_sealed]
    if resume is not None:
        named = _find_named(runs, resume)
        if find_opening_differences(named.opening, opening):
            raise explain_differences(named.opening, opening)
        return named
    related = [run for run in runs if _is_related(run.opening, opening)]
    related.sort(key=lambda run: (run.opening["created_at"], run.id), reverse=True)
    for run in related:
        if not find_opening_differences(run.opening, opening):
            return run
    if related:
        raise explain_differences(related[0].opening, opening)
    return None


def find_opening_differences(one: RunOpening, other: RunOpening) -> list[tuple[str, Any, Any]]:
    """What keeps two openings from being of one run: key facts, and the options of the command."""
    return find_differences(_list_facts(one), _list_facts(other))


def explain_differences(opened: RunOpening, now: RunOpening) -> RunKeyError:
    """Why an open run cannot be resumed, with the first facts that differ."""
    differences = [part for found in find_opening_differences(opened, now) for part in _take_apart(*found)]
    shown = "; ".join(
        f"{name}: {shorten(then)} when it was opened, {shorten(today)} now"
        for name, then, today in differences[:SHOWN_DIFFERENCES]
    )
    more = f"; and {len(differences) - SHOWN_DIFFERENCES} more" if len(differences) > SHOWN_DIFFERENCES else ""
    return RunKeyError(
        "the open run cannot be resumed, because it is not the same run",
        place=opened["id"],
        got=shown + more,
        hint="Put back what changed, or start a new run without --resume.",
    )


def _take_apart(name: str, then: Any, today: Any) -> Iterator[tuple[str, Any, Any]]:
    """Of two tables, the keys that differ; else the two values."""
    if not isinstance(then, Mapping) or not isinstance(today, Mapping):
        yield name, then, today
        return
    for key in sorted({*then, *today}):
        if then.get(key) != today.get(key):
            yield from _take_apart(f"{name} {key}", then.get(key), today.get(key))


def _list_facts(opening: RunOpening) -> Mapping[str, Any]:
    return {**list_key_facts(opening), **{f"option {name}": value for name, value in opening["options"].items()}}


def _is_related(one: RunOpening, other: RunOpening) -> bool:
    return one["bench"].get("name") == other["bench"].get("name") and one["model"]["id"] == other["model"]["id"]


def _find_named(runs: list[OpenRunSummary], handle: str) -> OpenRunSummary:
    matches = [run for run in runs if run.id == handle] or [run for run in runs if run.id.startswith(handle)]
    if handle and len(matches) == 1:
        return matches[0]
    names = ", ".join(run.id for run in (matches or runs)) or "there are none"
    what = "several open runs begin like that" if len(matches) > 1 else "no such open run"
    raise HandleError(what, got=repr(handle), expected=f"an open run: {names}")
