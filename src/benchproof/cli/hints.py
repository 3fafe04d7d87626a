"""Commands that a message advises, completed so that they can be copied: with the archive and references in use."""

import re
import shlex
from collections.abc import Sequence

import click

_ADVISED = re.compile(r"benchproof (verify|why|show|score|findings|rerun)(?: [\w@~](?:[\w.@~-]*[\w@~])?)?")
_REPEATED = ("--archive", "--expect")
_TAKE_REFERENCES = frozenset({"verify", "why", "show", "score"})


def complete_commands(text: str, words: Sequence[str] | None = None) -> str:
    """Add ``--archive`` and ``--expect`` of the call (``words``, or the one under way) to each advised command.

    Without them a copied command would look at another archive, or find nothing wrong.
    """
    given = _read_options(_find_words() if words is None else words)

    def complete(found: re.Match[str]) -> str:
        options = [
            f"{name} {shlex.quote(value)}"
            for name, value in given.items()
            if name == "--archive" or found[1] in _TAKE_REFERENCES
        ]
        return " ".join([found[0], *options])

    return _ADVISED.sub(complete, text) if given else text


def _find_words() -> Sequence[str]:
    """The words of the call under way, as the entry put them into the context."""
    context = click.get_current_context(silent=True)
    return (context.find_root().obj or ()) if context is not None else ()


def _read_options(words: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for index, word in enumerate(words):
        name, has_value, value = word.partition("=")
        if name in _REPEATED and has_value:
            given[name] = value
        elif name in _REPEATED and index + 1 < len(words):
            given[name] = words[index + 1]
    return given
