"""The words in ``flags`` of a raw line: what was odd about a call that gave an answer (contract-bench §4).

A reader keeps a word that it does not know: a later version may have stated it.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class CallFlag:
    """One word, the calls (``call`` of a raw line) that can carry it, and what it says."""

    name: str
    calls: tuple[str, ...]
    description: str


def describe_call_flag(name: str) -> str:
    """``double_bos: the prompt brings …``; the name alone of a word that this version does not know."""
    found = next((flag for flag in load_call_flags() if flag.name == name), None)
    return name if found is None else f"{name}: {found.description}"


@cache
def load_call_flags() -> tuple[CallFlag, ...]:
    """Every word that this version states, by name."""
    table = tomllib.loads((files(__package__) / "call_flags.toml").read_text(encoding="utf-8"))
    rows = (CallFlag(row["name"], tuple(row["calls"]), row["description"]) for row in table["flag"])
    return tuple(sorted(rows, key=lambda flag: flag.name))
