"""A table as text for a terminal: columns line up by the width on the screen, not by the number of characters."""

from collections.abc import Sequence

from benchproof.results.catalogue import explain_flags
from benchproof.results.figures import NOTHING, say_compared, show_interval, show_value
from benchproof.results.footnotes import list_flags, write_short_notes
from benchproof.results.headings import (
    Shorten,
    list_repeated_drafts,
    make_shortener,
    write_block_title,
    write_setting,
    write_title,
)
from benchproof.results.layout import (
    measure_width,
    pad_around,
    pad_left,
    pad_right,
    part_columns,
    wrap_text,
)
from benchproof.results.slices import ALL
from benchproof.results.table_parts import Cell, Line, Section, Table

_BETWEEN_LANGUAGES = 4
_BETWEEN_PARTS = 2
_WIDEST_TITLE = 40
"""A longer title of a group has a line of its own, above the languages."""


def render_text(table: Table, *, built: str, version: str, width: int | None = None) -> str:
    """The table as text, one section after another.

    Args:
        table: What to print.
        built: The date of building, as it shall stand beneath.
        version: Version of benchproof, likewise.
        width: Of the terminal; languages that do not fit beside one another stand beneath one another.
    """
    shorten = make_shortener(table)
    repeated = list_repeated_drafts(table)
    sections = []
    for section in table.sections:
        name_digest = (section.benchmark, section.axis, section.metric) in repeated
        lines = [
            *wrap_text(write_title(section, name_digest=name_digest), width, at_entries=True),
            *wrap_text(write_setting(section, shorten), width, at_entries=True),
            "",
            *_draw_bands(section, shorten, width),
            *(line for note in write_short_notes(section, table, shorten) for line in wrap_text(note, width)),
        ]
        sections.append("\n".join(line.rstrip() for line in lines) + "\n")
    if not sections:
        return "No numbers to show.\n"
    flags = list_flags(cell.row for section in table.sections for cell in section.list_cells())
    last = [
        *explain_flags(flags),
        *([] if table.compared_with is None else [say_compared(table.compared_with)]),
        f"Built {built} by benchproof {version}. All settings and methods: --format md, --json.",
    ]
    return "\n".join([*sections, "\n".join(line for text in last for line in wrap_text(text, width)) + "\n"])


def _draw_bands(section: Section, shorten: Shorten, width: int | None) -> list[str]:
    """The groups, for as many languages at a time as fit."""
    lines = [line for block in section.blocks for line in block.lines]
    if not lines:
        return []
    mixed = len({cell.row.proof for cell in section.list_cells()}) > 1
    ranked = any(cell.rank for cell in section.list_cells())
    columns = [
        (language, _draw_column([line.cells.get(language) for line in lines], ranked=ranked, mixed=mixed))
        for language in section.languages
    ]
    names = [f"  {_name_line(line)}" for line in lines]
    titles = [write_block_title(section, block, shorten) for block in section.blocks]
    first = max(map(measure_width, names))
    if measure_width(titles[0]) <= _WIDEST_TITLE:
        first = max(first, measure_width(titles[0]))
    bands = [columns]
    if width is not None:
        widths = [_BETWEEN_LANGUAGES + measure_width(cells[0]) for _, cells in columns]
        bands = [[columns[place] for place in band] for band in part_columns(widths, room=width - first)]
    drawn: list[str] = []
    for band in bands:
        drawn += [""] if drawn else []
        drawn += _draw_blocks(section, titles, [pad_right(name, first) for name in names], band)
    return drawn


def _draw_blocks(
    section: Section, titles: Sequence[str], names: Sequence[str], columns: Sequence[tuple[str, list[str]]]
) -> list[str]:
    first = measure_width(names[0])
    gap = " " * _BETWEEN_LANGUAGES
    heads = [pad_around(language, measure_width(cells[0])) for language, cells in columns]
    is_long = measure_width(titles[0]) > first
    drawn = [titles[0]] if is_long else []
    drawn.append(gap.join((pad_right("" if is_long else titles[0], first), *heads)))
    position = 0
    for number, (block, title) in enumerate(zip(section.blocks, titles, strict=True)):
        drawn += [title] if number else []
        for _ in block.lines:
            drawn.append(gap.join((names[position], *(cells[position] for _, cells in columns))))
            position += 1
    return drawn


def _name_line(line: Line) -> str:
    if line.slice != ALL:
        return f"  {line.slice}"
    return f"{line.model} ({line.note})" if line.note else line.model


def _draw_column(cells: Sequence[Cell | None], *, ranked: bool, mixed: bool) -> list[str]:
    """The cells of one language, all of one width."""
    parts = [_list_parts(cell, ranked=ranked, mixed=mixed) for cell in cells]
    widths = [max(measure_width(part) for part in column) for column in zip(*parts, strict=True)]
    gap = " " * _BETWEEN_PARTS
    # Rank, tag and proof line up at their first character, figures at their last.
    figures = range(1 if ranked else 0, len(widths) - (2 if mixed else 1))
    return [
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
