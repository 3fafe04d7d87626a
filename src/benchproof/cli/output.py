"""Writing to the terminal: data to stdout, talk to stderr; one exit code in the end."""

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from benchproof.errors import BenchproofError, ExitCode


def print_json(value: Any) -> None:
    """One JSON document on stdout, indented, keys as given."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False))


def say(text: str) -> None:
    """Talk: a line on stderr."""
    click.echo(text, err=True)


def say_failed(model: str, error: BenchproofError) -> None:
    """Talk: why there is no run of a model; it is named where the error names no place."""
    say(f"error: {error}" if error.place else f"error: {model}: {error}")


def print_text(text: str) -> None:
    """A rendered text on stdout, ending in one line feed."""
    click.echo(text.rstrip("\n"))


def print_lines(lines: Iterable[str]) -> None:
    """Lines on stdout; none where there are none."""
    for line in lines:
        click.echo(line)


def terminal_width() -> int | None:
    """Columns of the terminal that reads stdout; ``None`` where none does."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def show_path(path: Path) -> str:
    """A path as the user would type it: relative where it lies below the working folder."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def worst_exit(codes: Sequence[ExitCode]) -> ExitCode:
    """One exit code for several runs: interrupted first, then wrong call, budget, no, cannot tell."""
    order = [
        ExitCode.INTERRUPTED,
        ExitCode.WRONG_CALL,
        ExitCode.STOPPED_BY_BUDGET,
        ExitCode.NO,
        ExitCode.CANNOT_TELL,
        ExitCode.YES,
    ]
    return min(codes, key=order.index, default=ExitCode.YES)


def count_of(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 item, 2 items."""
    return f"{number} {one if number == 1 else many or one + 's'}"
