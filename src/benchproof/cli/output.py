"""Writing to the terminal: data to stdout, talk to stderr; one exit code in the end."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from benchproof.cli.surroundings import SurroundingsError
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


def write_whole(path: Path, text: str, *, name: str) -> None:
    """Put a text at ``path``; readers see the old file or the whole new one. ``name`` is what it is, for the error."""
    if path.exists() and not path.is_file():
        raise SurroundingsError(f"{name} is written to a regular file", place=str(path))
    try:
        _replace_whole(Path(os.path.realpath(path)), text)
    except OSError as error:
        raise SurroundingsError(f"{name} cannot be written", place=str(path), got=error.strerror) from error


def _replace_whole(path: Path, text: str) -> None:
    """Put the text in the file's place, or leave nothing behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        staged.write_text(text, encoding="utf-8")
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)


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
