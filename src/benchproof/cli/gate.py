"""``benchproof gate``: hold a candidate run against a committed reference."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, print_text, say, terminal_width, write_whole
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references
from benchproof.errors import BenchproofError, ExitCode

if TYPE_CHECKING:
    from benchproof.analysis import Gate

VERDICT_CODES = {"pass": ExitCode.YES, "fail": ExitCode.NO, "cannot tell": ExitCode.CANNOT_TELL}
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("gate")
@click.argument("candidate", metavar="CAND")
@click.option("--against", type=FILE, metavar="REF.json", help="The reference: a committed file {run, sha256}.")
@click.option(
    "--margin", type=click.FloatRange(0, 1), metavar="M", help="The largest loss that is let through (0.01 is a point)."
)
@click.option(
    "--on",
    "axes",
    multiple=True,
    metavar="AXIS[.LANG]",
    help="Gate this axis alone; may be repeated (default: all of the reference).",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="KEY",
    help="Let this key differ, as prompt where the prompt is what changed; may be repeated.",
)
@click.option(
    "--level",
    type=click.FloatRange(0.5, 0.999),
    metavar="L",
    default=0.95,
    show_default=True,
    help="Level of the one-sided bounds.",
)
@click.option("--markdown", type=FILE, help="Also write Markdown, for the comment of a pull request.")
@click.option("--junit", type=FILE, help="Also write JUnit XML, a test case an axis.")
@click.option("--annotate", is_flag=True, help="Also print GitHub annotations, on stderr.")
@click.option("--write-reference", type=FILE, metavar="REF.json", help="Verify CAND and write the file that names it.")
@expect_option
@archive_option
@json_option
def command(
    candidate: str,
    against: Path | None,
    margin: float | None,
    axes: tuple[str, ...],
    allow: tuple[str, ...],
    level: float,
    markdown: Path | None,
    junit: Path | None,
    annotate: bool,
    write_reference: Path | None,
    expect: Path | None,
    archive: Path | None,
    as_json: bool,
) -> int:
    """Hold the run CAND against the run that REF.json names: has it lost more than the margin?

    Pass (exit 0): a loss of the margin or more is ruled out on every axis. Fail (1): such a loss is shown. Cannot tell
    (4): neither, and how many items would decide. Both runs are verified first (1 where one does not hold or the
    reference has another digest). Where a hard key differs nothing can be told, unless it is allowed to.
    """
    if write_reference is not None:
        if against is not None or margin is not None:
            raise click.UsageError("--write-reference makes a reference; --against and --margin hold a run against one")
        return _write_reference(candidate, write_reference, archive, expect)
    if against is None or margin is None:
        raise click.UsageError("a gate needs --against REF.json and --margin M (or --write-reference REF.json)")
    try:
        gate, compared = _hold(candidate, against, margin, axes, allow, level, archive, expect)
    except BenchproofError as error:
        if annotate:
            _annotate_fault(error, against)
        raise
    _write_files(gate, markdown, junit)
    _print(gate, compared, as_json=as_json)
    if annotate:
        from benchproof.analysis import list_annotations

        for line in list_annotations(gate, file=against.as_posix()):
            say(line)
    return VERDICT_CODES[gate.verdict]


def _hold(
    candidate: str,
    against: Path,
    margin: float,
    axes: tuple[str, ...],
    allow: tuple[str, ...],
    level: float,
    archive: Path | None,
    expect: Path | None,
) -> tuple["Gate", int]:
    """The gate, and with how many digests from outside the archive the two runs were compared."""
    from benchproof.analysis import gate_sealed_runs
    from benchproof.proof import read_gate_reference, require_reference, require_sound

    named = read_gate_reference(against)
    root, references = existing_archive(archive), read_references(expect)
    reference = require_reference(root, named, place=str(against), expect=references)
    held = require_sound(root, candidate, expect=references)
    gate = gate_sealed_runs(held.run, reference.run, margin=margin, axes=axes, allow=allow, level=level)
    return gate, held.compared_with + reference.compared_with


def _print(gate: "Gate", compared: int, *, as_json: bool) -> None:
    from benchproof.analysis import describe_gate, render_gate
    from benchproof.results import say_compared

    if as_json:
        print_json(describe_gate(gate) | {"compared_with": compared})
        return
    print_text(render_gate(gate, width=terminal_width()))
    print_text(say_compared(compared))


def _write_files(gate: "Gate", markdown: Path | None, junit: Path | None) -> None:
    from benchproof import __version__
    from benchproof.analysis import render_gate_junit, render_gate_markdown

    if markdown is not None:
        write_whole(markdown, render_gate_markdown(gate, version=__version__), name="the Markdown")
    if junit is not None:
        write_whole(junit, render_gate_junit(gate), name="the JUnit file")


def _annotate_fault(error: BenchproofError, against: Path) -> None:
    from benchproof.analysis import write_annotation

    say(write_annotation("error", "benchproof gate: not held", str(error), file=against.as_posix()))


def _write_reference(handle: str, path: Path, archive: Path | None, expect: Path | None) -> int:
    """Name a run that holds in a file; says which run the file named before."""
    from benchproof.proof import read_gate_reference, require_sound, write_gate_reference

    run = require_sound(existing_archive(archive), handle, expect=read_references(expect)).run
    before = read_gate_reference(path) if path.exists() else None
    write_whole(path, write_gate_reference(run).decode("utf-8"), name="the reference")
    say(f"{path}: {run.id}, manifest {run.sha256}")
    if before is not None and before.sha256 != run.sha256:
        say(f"before: {before.run}, manifest {before.sha256}")
    return ExitCode.YES
