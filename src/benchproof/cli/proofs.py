"""A packed proof where a run may be named too: a word that is a file."""

from collections.abc import Sequence
from pathlib import Path

import click

SUFFIX = ".zip"


def find_proof(words: Sequence[str]) -> Path | None:
    """The packed proof that the words name, ``None`` where they name runs; it stands alone."""
    found = [Path(word) for word in words if Path(word).is_file() or word.endswith(SUFFIX)]
    if not found:
        return None
    if len(words) > 1:
        raise click.UsageError("A packed proof is looked at alone: name one file, and no run beside it.")
    if not found[0].is_file():
        raise click.UsageError(f"There is no file {found[0]}.")
    return found[0]
