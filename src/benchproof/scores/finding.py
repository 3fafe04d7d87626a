"""From a tag back to its number: the first four characters find the run, and only that run is read."""

import difflib
from pathlib import Path
from typing import NamedTuple

from benchproof.archive import SealedRun, list_runs, load_run, load_sheets
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.scores.errors import TagError
from benchproof.scores.sheet import compute_score_sheet, is_current
from benchproof.scores.tags import RUN_LENGTH, index_numbers, read_tag, run_prefix


class FoundNumber(NamedTuple):
    """A number with the sheet that it stands in and the run that it was scored from."""

    run: SealedRun
    sheet: ScoreSheet
    number: SheetNumber


def load_or_compute_sheet(root: Path, run: SealedRun) -> ScoreSheet:
    """The sheet of a run by the scorers at hand: as saved, or computed in memory where none is saved.

    A saved sheet is taken at its word; ``compute_score_sheet`` is what proves it.
    """
    return _list_sheets(root, run)[0]


def find_number(root: Path, tag: str) -> FoundNumber:
    """The number of a tag. The sheet by the scorers at hand goes before one of other scorers.

    Raises TagError for a text that is no tag, and for a tag that no run here has; it names the nearest.
    """
    tag = read_tag(tag)
    prefixes = {summary.id: run_prefix(summary.sha256) for summary in list_runs(root)}
    seen: dict[str, SheetNumber] = {}
    for run_id, prefix in prefixes.items():
        if prefix != tag[:RUN_LENGTH]:
            continue
        run = load_run(root, run_id)
        for sheet in _list_sheets(root, run):
            numbers = index_numbers(sheet["numbers"])
            if tag in numbers:
                return FoundNumber(run, sheet, numbers[tag])
            seen |= numbers
    raise _not_found(root, tag, prefixes, seen)


def _list_sheets(root: Path, run: SealedRun) -> list[ScoreSheet]:
    """The current sheet, saved or computed, then saved ones by other scorers.

    Two sheets that both claim the scorers at hand contradict one another: then neither is taken.
    """
    saved = [sheet for sheet in load_sheets(root, run.id) if sheet["of"].get("sha256") == run.sha256]
    current = [sheet for sheet in saved if is_current(sheet, run)]
    others = [sheet for sheet in saved if not is_current(sheet, run)]
    return [current[0] if len(current) == 1 else compute_score_sheet(run), *others]


def _not_found(root: Path, tag: str, prefixes: dict[str, str], seen: dict[str, SheetNumber]) -> TagError:
    if seen:
        near = difflib.get_close_matches(tag, seen, n=3, cutoff=0.0)
        listed = ", ".join(f"{one} ({_describe(seen[one])})" for one in near)
        return TagError(
            "the run of this tag has no such number",
            place=str(root),
            got=tag,
            expected=f"for example {listed}",
            hint="`benchproof score RUN` prints all numbers of a run with their tags.",
        )
    begin = sorted(set(prefixes.values()))
    near = difflib.get_close_matches(tag[:RUN_LENGTH], begin, n=3, cutoff=0.0)
    more = f" and {len(begin) - len(near)} more" if len(begin) > len(near) else ""
    return TagError(
        "no run here has numbers with this tag",
        place=str(root),
        got=tag,
        expected=f"tags that begin with {', '.join(near)}{more}" if near else "a sealed run; there is none",
        hint="`benchproof list runs` shows the runs; --archive names another archive.",
    )


def _describe(number: SheetNumber) -> str:
    return " ".join((number["axis"], number["language"], number["slice"], number["metric"]))
