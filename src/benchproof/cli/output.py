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


def print_text(text: str) -> None:
    """A rendered text on stdout, ending in one line feed."""
    click.echo(text.rstrip("\n"))


def show_path(path: Path) -> str:
    """A path as the user would type it: relative where it lies below the working folder."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
