"""How texts lie on a screen: columns that line up, columns that do not fit, sentences that are too long.

Widths are of characters on a screen: names may be wide (CJK) or carry combining marks. A width of ``None`` is that of
no terminal (a pipe, a file): sentences are then wrapped at ``PLAIN_WIDTH`` and rows are as long as they are.
"""

import re
import textwrap
import unicodedata
from collections.abc import Collection, Sequence

_COMMAND = re.compile(r"`[^`]*`")
_INSIDE_ENTRY = re.compile(r"(?<![,·]) ")
_TIE = "\ue000"
"""Stands for a space at which no line ends."""

_LABEL = 12
"""Characters that a label has; a longer one moves its text."""

PLAIN_WIDTH = 100
NARROWEST = 40
"""A terminal that says it is narrower is written to as if it were as wide as this."""


def measure_width(text: str) -> int:
    """Columns that a text takes on a screen: wide characters two, combining and control characters none."""
    width = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"}:
            continue
        width += 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
    return width


def pad_right(text: str, width: int) -> str:
    """The text, then spaces up to a width on the screen."""
    return text + " " * (width - measure_width(text))


def pad_left(text: str, width: int) -> str:
    """Spaces, then the text, up to a width on the screen."""
    return " " * (width - measure_width(text)) + text


def pad_around(text: str, width: int) -> str:
    """The text in the middle of a width on the screen."""
    before = max(0, (width - measure_width(text)) // 2)
    return pad_right(" " * before + text, width)


def wrap_text(text: str, width: int | None = None, *, indent: int = 2, at_entries: bool = False) -> list[str]:
    """A sentence on as many lines as it needs, all but the first indented; no word and no `command` is broken.

    ``at_entries``: lines end at commas and middle dots alone, for a list whose entries have several words, unless an
    entry is longer than a line.
    """
    room = max(NARROWEST, PLAIN_WIDTH if width is None else width)
    if measure_width(text) <= room:
        return [text]
    tied = _COMMAND.sub(lambda command: command.group().replace(" ", _TIE), text)
    if at_entries:
        lines = _break_lines(_INSIDE_ENTRY.sub(_TIE, tied), room, indent)
        if all(measure_width(line) <= room for line in lines):
            return lines
    return _break_lines(tied, room, indent)


def _break_lines(tied: str, room: int, indent: int) -> list[str]:
    lines = textwrap.wrap(tied, room, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_TIE, " ") for line in lines]


def hang_text(start: str, text: str, *, width: int | None = None, at_entries: bool = False) -> list[str]:
    """A text behind a start, its further lines beneath its first word; that word stays beside the start.

    So does a path that is longer than a line: nothing would be won by a line of its own.
    """
    lines = wrap_text(start.replace(" ", _TIE) + text, width, indent=measure_width(start), at_entries=at_entries)
    return [line.replace(_TIE, " ").rstrip() for line in lines]


def label_text(name: str, *parts: str, width: int | None = None) -> list[str]:
    """``  name         part   part``, the parts in a column of their own; beneath one another where they do not fit."""
    start = f"  {name:<{_LABEL}} "
    whole = [start + "   ".join(part for part in parts if part)]
    if measure_width(whole[0]) > max(NARROWEST, PLAIN_WIDTH if width is None else width):
        whole = [(" " * len(start) if place else start) + part for place, part in enumerate(parts)]
    lines = [
        line
        for text in whole
        for line in hang_text(text[: len(start)], text[len(start) :], width=width, at_entries=True)
    ]
    return [line for line in lines if line]


def part_columns(widths: Sequence[int], *, room: int) -> list[list[int]]:
    """The places of columns, in bands that are no wider than ``room``; a column wider than that has its own band.

    ``widths``: of the columns, with the space before each.
    """
    bands: list[list[int]] = []
    used = room
    for place, width in enumerate(widths):
        if used + width > room or not bands:
            bands.append([])
            used = 0
        bands[-1].append(place)
        used += width
    return bands


def draw_grid(rows: Sequence[Sequence[str]], *, figures: Collection[int] = (), width: int | None = None) -> list[str]:
    """Rows of cells as lines whose columns line up, two spaces apart.

    Columns that do not fit into ``width`` stand beneath, behind the first column once more.

    Args:
        rows: Cells, as many in each row.
        figures: Places of columns that line up at their last character.
        width: Of the terminal.
    """
    if not rows:
        return []
    widths = [max(measure_width(cell) for cell in column) for column in zip(*rows, strict=True)]

    def draw(row: Sequence[str], places: Sequence[int]) -> str:
        cells = (pad_left(row[at], widths[at]) if at in figures else pad_right(row[at], widths[at]) for at in places)
        return "  ".join(cells).rstrip()

    rest = range(1, len(widths))
    if width is None:
        bands = [list(rest)]
    else:
        found = part_columns([widths[place] + 2 for place in rest], room=max(NARROWEST, width) - widths[0])
        bands = [[place + 1 for place in band] for band in found]
    return [draw(row, [0, *band]) for band in bands for row in rows]


def draw_entries(rows: Sequence[Sequence[str]], *, width: int | None = None) -> list[str]:
    """Rows of a list, as ``draw_grid`` has them; where one does not fit, what stands behind each first cell is wrapped.

    It is wrapped beside the first cell, or, where that leaves less than ``NARROWEST``, beneath it. So a name that is
    long is whole all the same, and can be copied.
    """
    lines = draw_grid(rows)
    if width is None or all(measure_width(line) <= max(NARROWEST, width) for line in lines):
        return lines
    first = max(measure_width(row[0]) for row in rows)
    drawn: list[str] = []
    for name, *rest in rows:
        text = "  ".join(rest)
        if width - first < NARROWEST:
            drawn += [name, *wrap_text(f"  {text}", width, indent=4)]
        else:
            drawn += wrap_text(f"{pad_right(name, first)}  {text}", width, indent=first + 2)
    return drawn
