"""The documents' own names for our verbs (``aliases.toml``): replaced before parsing, and said so once."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files


def load_aliases() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Pairs of what may be typed and what it means, in file order."""
    table = tomllib.loads(files("benchproof.cli").joinpath("aliases.toml").read_text(encoding="utf-8"))
    return [(tuple(row["words"]), tuple(row["means"])) for row in table["alias"]]


def expand_aliases(words: Sequence[str]) -> tuple[list[str], str | None]:
    """The command line with its alias replaced, and the sentence that says so (``None`` where there was none)."""
    if not words or words[0].startswith("-"):
        return list(words), None
    for typed, means in load_aliases():
        if tuple(words[: len(typed)]) == typed:
            notice = f"`{' '.join(typed)}` is `benchproof {' '.join(means)}` here"
            return [*means, *words[len(typed) :]], notice
    return list(words), None
