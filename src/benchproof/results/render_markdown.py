"""A table as Markdown (GitHub tables): the same words and figures as the text."""

from benchproof.results.figures import NOTHING, say_compared, show_interval, show_value
from benchproof.results.footnotes import write_notes
from benchproof.results.headings import (
    list_repeated_drafts,
    make_shortener,
    write_block_title,
    write_setting,
    write_title,
)
from benchproof.results.slices import ALL
from benchproof.results.table_parts import Block, Cell, Section, Table


def render_markdown(table: Table, *, built: str, version: str, width: int | None = None) -> str:
    """The table as Markdown, with all that there is to say beneath it; arguments as for ``render_text``."""
    del width
    shorten = make_shortener(table)
    repeated = list_repeated_drafts(table)
    parts = []
    for section in table.sections:
        name_digest = (section.benchmark, section.axis, section.metric) in repeated
        parts += [
            f"### {_escape(write_title(section, name_digest=name_digest))}",
            f"{_escape(write_setting(section, shorten))} (built {built}, benchproof {version})",
        ]
        for block in section.blocks:
            if len(section.blocks) > 1:
                parts.append(f"**{_escape(write_block_title(section, block, shorten))}**")
            parts.append(_draw_block(section, block, ranked=table.ranked))
        parts.append("  \n".join(_escape(line) for line in write_notes(section, table, shorten)))
    if parts and table.compared_with is not None:
        parts.append(say_compared(table.compared_with))
    return "\n\n".join(parts) + "\n" if parts else "No numbers to show.\n"


def _draw_block(section: Section, block: Block, *, ranked: bool) -> str:
    heads = ["model"]
    for language in section.languages:
        heads += [*([f"{language} rank"] if ranked else []), language, "interval", "n/planned", "tag", "proof"]
    rows = [heads, ["---"] * len(heads)]
    for line in block.lines:
        name = f"… {line.slice}" if line.slice != ALL else line.model + (f" ({line.note})" if line.note else "")
        cells = [_escape(name)]
        for language in section.languages:
            cells += _list_parts(line.cells.get(language), ranked=ranked)
        rows.append(cells)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _list_parts(cell: Cell | None, *, ranked: bool) -> list[str]:
    if cell is None:
        return [NOTHING] * (6 if ranked else 5)
    row = cell.row
    parts = [
        show_value(row.value, row.unit),
        show_interval(row.interval, row.unit),
        f"{row.denominator}/{row.planned}",
        f"`{row.tag}`",
        row.proof,
    ]
    return [str(cell.rank) if cell.rank else NOTHING, *parts] if ranked else parts


def _escape(text: str) -> str:
    for character in "\\|<*_":
        text = text.replace(character, f"\\{character}")
    return text
