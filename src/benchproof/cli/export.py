"""``benchproof export``: sealed runs as a table in a file, for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, say, show_path
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchproof.archive import SealedRun


@click.command("export")
@click.argument("runs", nargs=-1, required=True)
@click.option(
    "--what",
    type=click.Choice(["items", "calls", "scores"]),
    default="items",
    show_default=True,
    help="A row an item (what was asked, answered, scored), a call (prompts, tokens, likelihoods) or a number.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "csv", "arrow"]),
    help="How to write it (default: what FILE ends in). Only csv works without the extra benchproof[frames].",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file to write; one of that name is replaced.",
)
@expect_option
@archive_option
@json_option
def command(
    runs: tuple[str, ...],
    what: str,
    form: str | None,
    output: Path,
    expect: Path | None,
    archive: Path | None,
    as_json: bool,
) -> None:
    """Write what is in RUNS (ids, unique beginnings, @latest, or paths) as a table to a file.

    Each run is verified first: where its records do not follow from its answers, nothing is written (exit 1). Every
    column is explained in docs/reference/frames.md, and in the file itself where the format has a place for it.

    Items and calls hold texts: which data sets do not allow passing theirs on is said. Scores hold none.
    """
    from benchproof.frames import check_kind, describe_frame, find_form, write_frame
    from benchproof.proof import require_sound
    from benchproof.results import count_things, say_compared

    root = existing_archive(archive)
    kind = check_kind(what)
    find_form(output, form)  # a wrong call is told before runs are verified, which takes time
    references = read_references(expect)
    sound = [require_sound(root, run, expect=references) for run in runs]
    written = write_frame(kind, root, runs, output, form=form)
    columns = len(describe_frame(kind).columns)
    compared = sum(each.compared_with for each in sound)
    if kind != "scores":
        _say_private([each.run for each in sound])
    if as_json:
        print_json(
            {
                "path": str(written.path),
                "frame": kind,
                "format": written.form,
                "rows": written.rows,
                "columns": columns,
                "compared_with": compared,
            }
        )
        return
    size = f"{count_things(written.rows, 'row')}, {count_things(columns, 'column')}"
    click.echo(f"{kind}: {size}   {show_path(written.path.absolute())}")
    say(say_compared(compared))


def _say_private(runs: "Iterable[SealedRun]") -> None:
    """Talk: whose texts are in the file and may not be passed on."""
    from benchproof.proof import decide_publication

    said: dict[str, str] = {}
    for run in runs:
        for axis_key in run.axis_keys:
            if run.is_imported(axis_key):
                said[run.axis_of_run(axis_key)["dataset"]["slug"]] = "an imported log does not say under which licence"
                continue
            dataset = run.axis(axis_key)["dataset"]
            decision = decide_publication(dataset)
            if not decision.allowed:
                said[dataset["slug"]] = decision.reason
    for slug, reason in sorted(said.items()):
        say(f"note: texts of {slug} are in the file and not to be passed on: {reason}")
