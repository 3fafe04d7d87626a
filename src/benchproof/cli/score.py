"""``benchproof score``: the numbers of a run, computed from its evidence."""

from pathlib import Path

import click

from benchproof.cli.output import print_json, say, show_path
from benchproof.cli.surroundings import SurroundingsError, archive_option, existing_archive, json_option


@click.command("score")
@click.argument("run")
@click.option(
    "--summary", is_flag=True, help="Print the run's summary instead: means over axes, what is missing and why."
)
@archive_option
@json_option
def command(run: str, summary: bool, archive: Path | None, as_json: bool) -> None:
    """Compute the numbers of RUN (an id, its unique beginning, or a path) from its answers; no model is asked.

    The run is verified first: where its records do not follow from its answers, no number is printed.

    The score sheet is kept in the archive's derived/ folder. A newer scorer makes a second sheet; the numbers that
    moved are listed. --summary is always JSON.
    """
    from benchproof.archive import load_sheets, save_sheet
    from benchproof.harness import summarize
    from benchproof.proof import require_sound
    from benchproof.results import show_interval, show_value
    from benchproof.scores import compare_sheets

    root = existing_archive(archive)
    sealed, sheet = require_sound(root, run)
    if not sealed.axis_keys:
        raise SurroundingsError(
            "the run has no records to score", place=sealed.id, hint="It holds files of another program, as they were."
        )
    older = [sheet for sheet in load_sheets(root, sealed.id) if sheet["of"]["sha256"] == sealed.sha256]
    path = save_sheet(root, sheet)
    if summary:
        print_json(summarize(sheet, sealed.manifest))
    elif as_json:
        print_json(sheet)
    else:
        for number in sheet["numbers"]:
            name = f"{number['axis']}.{number['language']}"
            slice_ = "" if number["slice"] == "all" else f"  {number['slice']}"
            value = show_value(number["value"], number["unit"])
            interval = show_interval(_as_pair(number["interval"]), number["unit"])
            counts = f"{number['denominator']}/{number['planned']}"
            click.echo(
                f"{number['tag']}  {name:<14} {value:>8}  {interval:<11}  {counts:>7}  {number['metric']}{slice_}"
            )
    for old in older:
        for moved in compare_sheets(old, sheet):
            say(f"moved: {moved.tag} ({', '.join(moved.keys)})")
    say(f"sheet: {show_path(path)}" if path else "sheet: not kept (derived/ cannot be written)")


def _as_pair(interval: list[float] | None) -> tuple[float, float] | None:
    return None if interval is None else (interval[0], interval[1])
