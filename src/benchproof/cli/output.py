"""Writing to the terminal: data to stdout, talk to stderr."""

import json
from pathlib import Path
from typing import Any

import click


def print_json(value: Any) -> None:
    """One JSON document on stdout, indented, keys as given."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False))


def say(text: str) -> None:
    """Talk: a line on stderr."""
    click.echo(text, err=True)


def say_failed(model: str, error: Exception) -> None:
    """Talk: why there is no run of a model, of which the error may not speak by name."""
    say(f"error: {error}" if model in str(error) else f"error: {model}: {error}")


def print_text(text: str) -> None:
    """A rendered text on stdout, ending in one line feed."""
    click.echo(text.rstrip("\n"))


def show_path(path: Path) -> str:
    """A path as the user would type it: relative where it lies below the working folder."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def count_of(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 item, 2 items."""
    return f"{number} {one if number == 1 else many or one + 's'}"
