"""A table as text for a terminal: columns line up by the width on the screen, not by the number of characters."""

from collections.abc import Sequence

from benchproof.results.figures import (
    NOTHING,
    measure_width,
    pad_around,
    pad_left,
    pad_right,
    show_interval,
    show_value,
)
from benchproof.results.notes import (
    Shorten,
    list_repeated_drafts,
    make_shortener,
    write_block_title,
    write_footer,
    write_setting,
    write_title,
)
from benchproof.results.table_parts import ALL, Cell, Line, Section, Table

_BETWEEN_LANGUAGES = 4
_BETWEEN_PARTS = 2
_BEFORE_BUILT = 10


def render_text(table: Table, *, built: str, version: str) -> str:
    """The table as text, one section after another.

    Args:
        table: What to print.
        built: The date of building, as it shall stand in the header.
        version: Version of benchproof, likewise.
    """
    shorten = make_shortener(table)
    repeated = list_repeated_drafts(table)
    sections = []
    for section in table.sections:
        name_digest = (section.benchmark, section.axis, section.metric) in repeated
        setting = write_setting(section, shorten)
        lines = [
            write_title(section, name_digest=name_digest),
            f"{setting}{' ' * _BEFORE_BUILT}built {built}, benchproof {version}",
            "",
            *_draw_blocks(section, shorten),
            *write_footer(section, table, shorten),
        ]
        sections.append("\n".join(line.rstrip() for line in lines) + "\n")
    return "\n".join(sections) if sections else "No numbers to show.\n"


def _draw_blocks(section: Section, shorten: Shorten) -> list[str]:
    lines = [line for block in section.blocks for line in block.lines]
    mixed = len({cell.row.proof for cell in section.list_cells()}) > 1
    ranked = any(cell.rank for cell in section.list_cells())
    columns = [
        _draw_column([line.cells.get(language) for line in lines], language, ranked=ranked, mixed=mixed)
        for language in section.languages
    ]
    names = [f"  {_name_line(line)}" for line in lines]
    titles = [write_block_title(section, block, shorten) for block in section.blocks]
    width = max(measure_width(text) for text in (*names, titles[0])) if names else 0
    gap = " " * _BETWEEN_LANGUAGES
    drawn: list[str] = []
    position = 0
    for number, (block, title) in enumerate(zip(section.blocks, titles, strict=True)):
        if number == 0:
            heads = [pad_around(language, measure_width(cells[0])) for language, cells in columns]
            drawn.append(gap.join((pad_right(title, width), *heads)))
        else:
            drawn.append(title)
        for _ in block.lines:
            drawn.append(gap.join((pad_right(names[position], width), *(cells[position] for _, cells in columns))))
            position += 1
    return drawn


def _name_line(line: Line) -> str:
    if line.slice != ALL:
        return f"  {line.slice}"
    return f"{line.model} ({line.note})" if line.note else line.model


def _draw_column(cells: Sequence[Cell | None], language: str, *, ranked: bool, mixed: bool) -> tuple[str, list[str]]:
    """The cells of one language, all of one width."""
    parts = [_list_parts(cell, ranked=ranked, mixed=mixed) for cell in cells]
    widths = [max(measure_width(part) for part in column) for column in zip(*parts, strict=True)]
    gap = " " * _BETWEEN_PARTS
    # Rank, tag and proof line up at their first character, figures at their last.
    figures = range(1 if ranked else 0, len(widths) - (2 if mixed else 1))
    return language, [
        gap.join(
            pad_left(part, width) if place in figures else pad_right(part, width)
            for place, (part, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in parts
    ]


def _list_parts(cell: Cell | None, *, ranked: bool, mixed: bool) -> list[str]:
    """Rank, value, interval, n/planned, tag, proof: each number with its denominator and its tag."""
    if cell is None:
        return [*([""] if ranked else []), NOTHING, "", "", "", *([""] if mixed else [])]
    row = cell.row
    parts = [
        show_value(row.value, row.unit),
        show_interval(row.interval, row.unit),
        f"{row.denominator}/{row.planned}",
        row.tag,
    ]
    if ranked:
        parts.insert(0, str(cell.rank) if cell.rank else NOTHING)
    return [*parts, row.proof] if mixed else parts
