"""The words of raw lines: ``flags``, what was odd about an answer; ``error``, why there is none (contract-bench §4).

A reader keeps a word that it does not know: a later version may have stated it.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class CallWord:
    """One word, the calls (``call`` of a raw line) that can carry it, and what it says."""

    name: str
    calls: tuple[str, ...]
    description: str


def load_call_flags() -> tuple[CallWord, ...]:
    """Every word in ``flags`` that this version states, by name."""
    return _read_words("flag")


def load_call_errors() -> tuple[CallWord, ...]:
    """Every word in ``error`` that this version states, by name."""
    return _read_words("error")


def describe_call_flag(name: str) -> str | None:
    """What a flag says; ``None`` of a word that this version does not know."""
    return next((flag.description for flag in load_call_flags() if flag.name == name), None)


def _read_words(kind: str) -> tuple[CallWord, ...]:
    rows = (CallWord(row["name"], tuple(row["calls"]), row["description"]) for row in _read_catalogue()[kind])
    return tuple(sorted(rows, key=lambda word: word.name))


@cache
def _read_catalogue() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "call_words.toml").read_text(encoding="utf-8"))
