"""``benchproof score``: the numbers of a run, computed from its evidence."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, print_lines, say, show_path, terminal_width
from benchproof.cli.surroundings import (
    SurroundingsError,
    archive_option,
    existing_archive,
    expect_option,
    json_option,
    read_references,
)
from benchproof.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchproof.records.score_sheet import SheetNumber

FIGURES = (3, 4, 5)
"""Columns that line up at their last character: value, interval, items scored of planned."""


class NothingToScoreError(SurroundingsError):
    """The run holds nothing that a number could follow from."""

    exit_code = ExitCode.CANNOT_TELL


@click.command("score")
@click.argument("run")
@click.option(
    "--summary", is_flag=True, help="Print the run's summary instead: means over axes, what is missing and why."
)
@expect_option
@archive_option
@json_option
def command(run: str, summary: bool, expect: Path | None, archive: Path | None, as_json: bool) -> None:
    """Compute the numbers of RUN (an id, its unique beginning, @latest, or a path) from its answers; no model is asked.

    The run is verified first: where its records do not follow from its answers, no number is printed.

    The score sheet is kept in the archive's derived/ folder. A newer scorer makes a second sheet; the numbers that
    moved are listed. --summary is always JSON.
    """
    from benchproof.archive import load_sheets, save_sheet
    from benchproof.harness import summarize
    from benchproof.proof import require_sound
    from benchproof.results import say_compared
    from benchproof.scores import compare_sheets

    root = existing_archive(archive)
    sealed, sheet, compared = require_sound(root, run, expect=read_references(expect))
    if not sealed.axis_keys:
        raise NothingToScoreError(
            "the run has no records to score", place=sealed.id, hint="It holds files of another program, as they were."
        )
    older = [sheet for sheet in load_sheets(root, sealed.id) if sheet["of"]["sha256"] == sealed.sha256]
    path = save_sheet(root, sheet)
    if summary:
        print_json(summarize(sheet, sealed.manifest))
    elif as_json:
        print_json({**sheet, "compared_with": compared})
    else:
        print_lines(_draw_numbers(sort_numbers(sheet["numbers"]), terminal_width()))
    for old in older:
        for moved in compare_sheets(old, sheet):
            say(f"moved: {moved.tag} ({', '.join(moved.keys)})")
    say(say_compared(compared))
    say(f"sheet: {show_path(path)}" if path else "sheet: not kept (derived/ cannot be written)")


def sort_numbers(numbers: "Iterable[SheetNumber]") -> "list[SheetNumber]":
    """As a reader looks for them: by axis, language and metric, the whole before its registers."""
    from benchproof.results import place_slice

    return sorted(
        numbers,
        key=lambda number: (number["axis"], number["language"], number["metric"], place_slice(number["slice"])),
    )


def _draw_numbers(numbers: "Sequence[SheetNumber]", width: int | None) -> list[str]:
    """A line a number; where the metrics do not fit beside the figures they stand beneath, each once."""
    from benchproof.results import draw_grid, measure_width, wrap_text

    rows = [_list_cells(number) for number in numbers]
    lines = draw_grid(rows, figures=FIGURES)
    if width is None or all(measure_width(line) <= width for line in lines):
        return lines
    lines = draw_grid([row[:-1] for row in rows], figures=FIGURES, width=width)
    for metric in dict.fromkeys(row[-1] for row in rows):
        axes = dict.fromkeys(row[1] for row in rows if row[-1] == metric)
        lines += wrap_text(f"{metric}: {', '.join(axes)}", width)
    return lines


def _list_cells(number: "SheetNumber") -> list[str]:
    from benchproof.results import show_interval, show_value

    interval = number["interval"]
    return [
        number["tag"],
        f"{number['axis']}.{number['language']}",
        "" if number["slice"] == "all" else number["slice"],
        show_value(number["value"], number["unit"]),
        show_interval(None if interval is None else (interval[0], interval[1]), number["unit"]),
        f"{number['denominator']}/{number['planned']}",
        number["metric"],
    ]
