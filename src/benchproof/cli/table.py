"""``benchproof table``: like numbers side by side, unlike ones apart."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof import __version__
from benchproof.cli.output import print_text, say
from benchproof.cli.surroundings import SurroundingsError, archive_option, existing_archive, now

if TYPE_CHECKING:
    from benchproof.archive import RunSummary
    from benchproof.results import Row


@click.command("table")
@click.argument("what", nargs=-1, required=True)
@click.option("--rank", is_flag=True, help="Give places, inside one comparable group only.")
@click.option("--registers", is_flag=True, help="Show the register slices too.")
@click.option("--every-run", is_flag=True, help="Show older runs of the same model and setting too.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "csv", "json"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@archive_option
def command(
    what: tuple[str, ...],
    rank: bool,
    registers: bool,
    every_run: bool,
    form: str,
    as_json: bool,
    archive: Path | None,
) -> None:
    """Print the numbers of WHAT: a bench's name (all its runs), or runs by their handles.

    Numbers that were measured under unlike settings stand in separate groups and are never ranked together. Each number
    carries a tag for `benchproof why`.
    """
    from benchproof.results import build_table, render_table

    root = existing_archive(archive)
    rows = rows_for(root, what)
    table = build_table(rows, rank=rank, registers=registers, every_run=every_run)
    print_text(render_table(table, "json" if as_json else form, built=now().date().isoformat(), version=__version__))


def rows_for(root: Path, what: tuple[str, ...]) -> "list[Row]":
    """Rows of all runs that the words name; each run is verified, and its numbers are those recomputed from it."""
    from benchproof.proof import prove_run
    from benchproof.results import rows_of

    rows: list[Row] = []
    for handle in _handles(root, what):
        proof, run, sheet = prove_run(root, handle)
        if run is None or sheet is None:
            say(f"not shown: {handle}: its numbers cannot be recomputed (benchproof verify {handle} says why)")
            continue
        rows.extend(rows_of(run, sheet, proof=proof.rung))
    return rows


def _handles(root: Path, what: tuple[str, ...]) -> list[str]:
    from benchproof.archive import list_runs

    runs = list_runs(root, on_damage=lambda name, error: say(f"not shown: {name}: {error}"))
    handles: dict[str, None] = {}
    for word in what:
        of_bench = [run.id for run in runs if run.manifest["bench"].get("name") == word]
        handles.update(dict.fromkeys(of_bench or [_known_handle(root, word, runs)]))
    return list(handles)


def _known_handle(root: Path, word: str, runs: "list[RunSummary]") -> str:
    """The word, if it is a handle of a run."""
    from benchproof.archive import ArchiveError, HandleError, load_run

    try:
        load_run(root, word)
    except HandleError as error:
        if "/" in word or any(run.id.startswith(word) for run in runs):
            raise
        names = sorted({str(run.manifest["bench"].get("name")) for run in runs})
        raise SurroundingsError(
            "no sealed run is of a bench of this name, or has such an id",
            place=str(root),
            got=word,
            expected=f"a bench that was run ({', '.join(names)}), or a run's id" if names else "a bench that was run",
            hint="`benchproof list` shows the runs.",
        ) from error
    except ArchiveError:
        pass  # damaged: that is said where its numbers would stand
    return word
