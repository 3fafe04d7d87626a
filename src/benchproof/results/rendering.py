"""Formats of a table, by name."""

from typing import Protocol

from benchproof.results.errors import TableError
from benchproof.results.render_data import render_csv, render_json
from benchproof.results.render_latex import render_latex
from benchproof.results.render_markdown import render_markdown
from benchproof.results.render_text import render_text
from benchproof.results.table_parts import Table


class Renderer(Protocol):
    """Turns a table into one text.

    ``built`` and ``version`` are written where there is a place for them; ``width`` is of a terminal, ``None`` where
    there is none, and matters to text alone.
    """

    def __call__(self, table: Table, *, built: str, version: str, width: int | None = None) -> str:
        """The text, ending in a line feed."""
        ...


RENDERERS: dict[str, Renderer] = {
    "text": render_text,
    "md": render_markdown,
    "latex": render_latex,
    "csv": render_csv,
    "json": render_json,
}


def render_table(table: Table, form: str, *, built: str, version: str, width: int | None = None) -> str:
    """A table in one of the forms of ``RENDERERS``; ``TableError`` names them where ``form`` is none."""
    if form not in RENDERERS:
        raise TableError("there is no such table format", got=form, expected="one of " + ", ".join(RENDERERS))
    return RENDERERS[form](table, built=built, version=version, width=width)
