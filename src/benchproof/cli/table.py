"""``benchproof table``: like numbers side by side, unlike ones apart."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from benchproof import __version__
from benchproof.cli.hints import complete_commands
from benchproof.cli.output import print_text, say, terminal_width, worst_exit
from benchproof.cli.surroundings import (
    SurroundingsError,
    archive_option,
    existing_archive,
    expect_option,
    now,
    read_references,
)
from benchproof.errors import ExitCode

if TYPE_CHECKING:
    from benchproof.archive import RunSummary
    from benchproof.results import Row


@click.command("table")
@click.argument("what", nargs=-1, required=True)
@click.option("--rank", is_flag=True, help="Rank numbers, inside one comparable group only.")
@click.option("--registers", is_flag=True, help="Show the register slices too.")
@click.option("--every-run", is_flag=True, help="Show older runs of a model and setting too, and those of fewer items.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "latex", "csv", "json"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@expect_option
@archive_option
def command(
    what: tuple[str, ...],
    rank: bool,
    registers: bool,
    every_run: bool,
    form: str,
    as_json: bool,
    expect: Path | None,
    archive: Path | None,
) -> int:
    """Print the numbers of WHAT: a bench's name (all its runs), or runs.

    A run is named by its id, the id's unique beginning, @latest, or a path.

    Numbers that were measured under unlike settings stand in separate groups and are never ranked together. Each number
    carries a tag for `benchproof why`. Each run is verified first; one whose numbers do not follow from its bytes is
    named and not shown (exit 1).
    """
    from benchproof.results import build_table, render_table, say_compared

    root = existing_archive(archive)
    rows, left_out, compared = rows_for(root, what, read_references(expect))
    table = build_table(rows, rank=rank, registers=registers, every_run=every_run, compared_with=compared)
    form = "json" if as_json else form
    built = now().date().isoformat()
    print_text(render_table(table, form, built=built, version=__version__, width=terminal_width()))
    if form == "csv":
        say(say_compared(compared))
    return worst_exit(left_out)


class ShownRows(NamedTuple):
    """Rows of a table, why runs are left out of it, and how many outside references its runs were compared with."""

    rows: "list[Row]"
    left_out: list[ExitCode]
    compared_with: int


def rows_for(root: Path, what: tuple[str, ...], expect: Mapping[str, str] | None = None) -> ShownRows:
    """Rows of all runs that the words name, and why others are left out, as exit codes.

    Each run is verified, and its numbers are those recomputed from it; one that is left out is named on stderr.
    """
    from benchproof.proof import prove_run
    from benchproof.results import rows_of
    from benchproof.rulebook import Severity

    rows: list[Row] = []
    compared = 0
    handles, left_out = _handles(root, what)
    for handle in handles:
        proof, run, sheet = prove_run(root, handle, expect=expect)
        if run is None or sheet is None:
            fault = next((str(one) for one in proof.findings if one.severity is Severity.ERROR), proof.numbers_note)
            say(complete_commands(f"not shown: {handle}: {fault} (benchproof verify {handle} says all of it)"))
            left_out.append(proof.exit_code or ExitCode.CANNOT_TELL)
            continue
        if not run.axis_keys:
            say(f"not shown: {run.id}: it has no records to score; it holds files of another program, as they were")
            left_out.append(ExitCode.CANNOT_TELL)
            continue
        rows.extend(rows_of(run, sheet, proof=proof.rung))
        compared += proof.compared_with
    return ShownRows(rows, left_out, compared)


def _handles(root: Path, what: tuple[str, ...]) -> "tuple[list[str], list[ExitCode]]":
    from benchproof.archive import ArchiveError, list_runs

    damaged: dict[str, ArchiveError] = {}
    runs = list_runs(root, on_damage=damaged.__setitem__)
    handles: dict[str, None] = {}
    is_by_bench = False
    for word in what:
        of_bench = [run.id for run in runs if run.manifest["bench"].get("name") == word]
        is_by_bench |= bool(of_bench)
        handles.update(dict.fromkeys(of_bench or [_known_handle(root, word, runs)]))
    if not is_by_bench:
        return list(handles), []
    # What cannot be read may be of the bench that is asked for.
    for name, error in damaged.items():
        say(f"not shown: {name}: {error}")
    return list(handles), [error.exit_code for error in damaged.values()]


def _known_handle(root: Path, word: str, runs: "list[RunSummary]") -> str:
    """The word, if it is a handle of a run."""
    from benchproof.archive import ArchiveError, HandleError, load_run
    from benchproof.cli.tags import lead_from_tag

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
            hint=lead_from_tag(word) or "`benchproof list` shows the runs.",
        ) from error
    except ArchiveError:
        pass  # damaged: that is said where its numbers would stand
    return word
