"""``benchproof demo``: the whole path on a real local model, end to end."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_text, say, terminal_width, worst_exit
from benchproof.cli.surroundings import archive_option, now, runtime_option, writable_archive

if TYPE_CHECKING:
    from benchproof.cli.asking import Asked, AskOptions
    from benchproof.harness import CompiledBench

BENCH = "starter"
MODEL = "smollm2"
SECOND_MODEL = "gemma3-270m"
CONTROLS = ("control:random", "control:longest")
MOST_WORKERS = 4


@click.command("demo")
@click.option("--fresh", is_flag=True, help="Ask the model anew, though a sealed run of the same is here.")
@click.option("--gemma", is_flag=True, help="Also run Gemma 3 270M base (its own terms apply).")
@click.option(
    "--reports",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-report"),
    show_default=True,
    help="Where the HTML reports go.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes that answer side by side (default: one a processor, at most 4); the sealed bytes are the same.",
)
@runtime_option()
@archive_option
def command(
    fresh: bool, gemma: bool, reports: Path, workers: int | None, runtime: str | None, archive: Path | None
) -> int:
    """Run the starter bench in two languages on a real local model and two negative controls.

    Seals each run, verifies it, prints the table and a contrast against the controls, and writes one HTML report a run.
    A second start finds the sealed runs again. Without the weights or the runtime it says how to get them (exit 4).
    """
    from benchproof.cli.asking import AskOptions, describe_bench
    from benchproof.harness import compile_bench, find_bench

    compiled = compile_bench(find_bench(BENCH))
    models = [MODEL, *([SECOND_MODEL] if gemma else []), *CONTROLS]
    root = writable_archive(archive)
    click.echo(describe_bench(compiled, len(models)))
    options = AskOptions(reuse=not fresh, workers=workers or min(os.cpu_count() or 1, MOST_WORKERS), runtime=runtime)
    asked = []
    for spec in models:
        one = _ask(root, compiled, spec, options)
        asked.append(one)
        if not one.is_sealed:
            return one.exit_code
    _print_table(root)
    _print_contrasts(root, asked)
    _write_reports(root, asked, reports)
    _say_next(root, asked[0])
    return worst_exit([one.exit_code for one in asked])


def _ask(root: Path, compiled: "CompiledBench", spec: str, options: "AskOptions") -> "Asked":
    """Go on with an open run of the same, unless everything is asked anew; another open run is left as it is."""
    from benchproof.archive import list_open_runs
    from benchproof.cli.asking import ask_model
    from benchproof.harness import RunKeyError

    if options.reuse and list_open_runs(root, on_damage=lambda _name, _error: None):
        with suppress(RunKeyError):
            return ask_model(root, compiled, spec, replace(options, resume=True))
    return ask_model(root, compiled, spec, options)


def _print_table(root: Path) -> None:
    from benchproof import __version__
    from benchproof.cli.table import rows_for
    from benchproof.results import build_table, render_table

    shown = rows_for(root, (BENCH,))
    table = build_table(shown.rows, registers=True, compared_with=shown.compared_with)
    click.echo()
    built = now().date().isoformat()
    print_text(render_table(table, "text", built=built, version=__version__, width=terminal_width()))


def _print_contrasts(root: Path, asked: "list[Asked]") -> None:
    from benchproof.analysis import compare_runs, explain_contrasts, render_contrast
    from benchproof.archive import load_run

    model = load_run(root, asked[0].run_id)
    width = terminal_width()
    contrasts = [compare_runs(model, load_run(root, control.run_id)) for control in asked[-len(CONTROLS) :]]
    for contrast in contrasts:
        click.echo()
        print_text(render_contrast(contrast, legend=False, width=width))
    click.echo()
    print_text(explain_contrasts(contrasts, width=width))


def _write_reports(root: Path, asked: "list[Asked]", folder: Path) -> None:
    from benchproof.cli.report import write_report

    click.echo()
    for one in asked:
        path = write_report(root, one.run_id, folder / f"{one.run_id}.html")
        click.echo(f"report   {path.resolve().as_uri()}")


def _say_next(root: Path, asked: "Asked") -> None:
    """A command that opens a number of this very run, down to one item."""
    from benchproof.archive import load_run
    from benchproof.scores import load_or_compute_sheet

    run = load_run(root, asked.run_id)
    number = load_or_compute_sheet(root, run)["numbers"][-1]
    item = next(run.items(f"{number['axis']}.{number['language']}"))["item_id"]
    say(f"next: benchproof why {number['tag']} --item {item}")
