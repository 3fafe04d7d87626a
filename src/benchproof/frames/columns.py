"""The column dictionary: name, type, unit, meaning and source of every column (``columns.toml``)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from benchproof.frames.errors import FramesError

Kind = Literal["items", "calls", "scores"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Names of the frames."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``type`` is a word of the dictionary; ``null`` says what a missing value means, ``""``: none is."""

    name: str
    type: str
    unit: str
    null: str
    meaning: str
    source: str

    @property
    def is_json(self) -> bool:
        """Whether the column's strings hold JSON."""
        return self.type == "json"


@dataclass(frozen=True, slots=True)
class FrameShape:
    """One frame: what a row is, how rows are ordered, and the columns."""

    kind: Kind
    row: str
    order: str
    columns: tuple[Column, ...]


def check_kind(kind: str) -> Kind:
    """The kind, if there is a frame of that name."""
    if kind not in KINDS:
        raise FramesError("there is no such frame", got=repr(kind), expected="one of " + ", ".join(KINDS))
    return kind


@cache
def describe_frame(kind: Kind) -> FrameShape:
    """The shape of a frame, from the dictionary."""
    table = tomllib.loads((files(__package__) / "columns.toml").read_text(encoding="utf-8"))
    columns = tuple(_read_column(row) for row in table["column"] if kind in row["frames"])
    return FrameShape(kind, table[kind]["row"], table[kind]["order"], columns)


def _read_column(row: dict[str, Any]) -> Column:
    return Column(row["name"], row["type"], row.get("unit", ""), row.get("null", ""), row["meaning"], row["source"])
