"""The parts of a table: sections, blocks, lines, cells, ranks. Shapes alone; ``table.py`` builds them."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchproof.results.catalogue import Direction
from benchproof.results.rows import Row
from benchproof.results.settings import UNKNOWN
from benchproof.results.slices import ALL


@dataclass(frozen=True, slots=True)
class Rank:
    """A place among the numbers of one column of one block; ``shared`` where another number has the same."""

    place: int
    shared: bool

    def __str__(self) -> str:
        return f"{self.place}=" if self.shared else str(self.place)


@dataclass(frozen=True, slots=True)
class Cell:
    """One number in its place."""

    row: Row
    rank: Rank | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One model under one setting, or one slice of it; ``note`` tells lines apart that have the same name."""

    model: str
    note: str
    slice: str
    synthetic: bool
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that may be ranked within a column.

    ``keys``: hard key → language → value. ``older``: numbers of earlier runs of a line's model and setting.
    """

    keys: Mapping[str, Mapping[str, str]]
    lines: tuple[Line, ...]
    older: tuple[Row, ...]

    @property
    def is_synthetic(self) -> bool:
        """Whether no line is of a real model."""
        return all(line.synthetic for line in self.lines)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Hard keys that some column does not know."""
        return tuple(key for key, values in self.keys.items() if UNKNOWN in values.values())


@dataclass(frozen=True, slots=True)
class Section:
    """One benchmark version, metric and data set.

    ``common``: hard keys in which all blocks agree, language by language; ``differing``: the others.
    ``hidden_slices`` counts the numbers of slices that were not asked for.
    """

    benchmark: str
    axis: str
    dataset: str
    metric: str
    draft_digest: str | None
    direction: Direction
    languages: tuple[str, ...]
    common: Mapping[str, Mapping[str, str]]
    differing: tuple[str, ...]
    blocks: tuple[Block, ...]
    hidden_slices: int

    def list_cells(self, *, slices: bool = True) -> list[Cell]:
        """Every cell in reading order, or only those over all items."""
        return [
            cell
            for block in self.blocks
            for line in block.lines
            if slices or line.slice == ALL
            for cell in line.cells.values()
        ]


@dataclass(frozen=True, slots=True)
class Table:
    """Sections by benchmark version, axis, metric; ``ranked`` where ranks were asked for.

    ``compared_with``: digests from outside that the evidence was compared with; ``None`` where nobody says.
    """

    sections: tuple[Section, ...]
    ranked: bool
    compared_with: int | None = None
