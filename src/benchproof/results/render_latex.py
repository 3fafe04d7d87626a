r"""A table as LaTeX (booktabs), to be put into a paper: the same words and figures as the text.

Each group is a ``table`` of its own with all its notes, so that one that is cut out says what it stands on, and numbers
that may not stand together never share a ``tabular``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from benchproof.results.figures import NOTHING, say_compared, show_interval, show_value
from benchproof.results.footnotes import write_notes
from benchproof.results.headings import (
    Shorten,
    list_repeated_drafts,
    make_shortener,
    write_block_title,
    write_setting,
    write_title,
)
from benchproof.results.latex_text import escape_latex, write_code, write_prose
from benchproof.results.slices import ALL
from benchproof.results.table_parts import Block, Cell, Line, Section, Table

_BESIDE = 2
"""Languages beside one another; more do not fit the width of a page and stand beneath."""

_HEAD = (
    r"% Needs \usepackage{booktabs}; names in other scripts than Latin need XeLaTeX or LuaLaTeX and a font for them."
)


def render_latex(table: Table, *, built: str, version: str, width: int | None = None) -> str:
    """The table as LaTeX, one ``table`` a group; arguments as for ``render_text``."""
    del width
    shorten = make_shortener(table)
    repeated = list_repeated_drafts(table)
    drawn = []
    for section in table.sections:
        title = write_title(section, name_digest=(section.benchmark, section.axis, section.metric) in repeated)
        for place, block in enumerate(section.blocks, 1):
            hidden = section.hidden_slices if place == len(section.blocks) else 0
            part = replace(section, blocks=(block,), hidden_slices=hidden)
            name = [write_block_title(section, block, shorten)] if len(section.blocks) > 1 else []
            caption = ". ".join([title, *name, write_setting(section, shorten)])
            drawn.append(_draw_table(part, block, caption, table, shorten))
    if not drawn:
        return "% No numbers to show.\n"
    last = [] if table.compared_with is None else [f"% {say_compared(table.compared_with)}"]
    return "\n".join([f"% Built {built} by benchproof {version}.", *last, _HEAD, "", "\n\n".join(drawn)]) + "\n"


def _draw_table(section: Section, block: Block, caption: str, table: Table, shorten: Shorten) -> str:
    notes = [write_prose(note) for note in write_notes(section, table, shorten)]
    lines = [
        r"\begin{table}[htbp]",
        r"\centering\footnotesize\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{escape_latex(caption)}.}}",
    ]
    languages = [one for one in section.languages if any(one in line.cells for line in block.lines)]
    for start in range(0, len(languages), _BESIDE):
        lines += [r"\par\medskip"] if start else []
        lines += _draw_tabular(block, languages[start : start + _BESIDE], ranked=table.ranked)
    lines += [r"\par\smallskip", r"\begin{minipage}{\linewidth}\raggedright"]
    lines += [rf"{note}\par" for note in notes]
    return "\n".join([*lines, r"\end{minipage}", r"\end{table}"])


def _draw_tabular(block: Block, languages: Sequence[str], *, ranked: bool) -> Iterator[str]:
    heads = [*(["rank"] if ranked else []), "value", "interval", "n/planned", "tag", "proof"]
    aligned = ("r" if ranked else "") + "rrrll"
    yield rf"\begin{{tabular}}{{@{{}}l{aligned * len(languages)}@{{}}}}"
    yield r"\toprule"
    yield _join(["", *(rf"\multicolumn{{{len(heads)}}}{{c}}{{{escape_latex(one)}}}" for one in languages)])
    ends = [2 + len(heads) * place for place in range(len(languages) + 1)]
    yield "".join(rf"\cmidrule(lr){{{left}-{right - 1}}}" for left, right in pairwise(ends))
    yield _join(["model", *heads * len(languages)])
    yield r"\midrule"
    for line in block.lines:
        cells = [cell for one in languages for cell in _list_parts(line.cells.get(one), ranked=ranked)]
        yield _join([_name_line(line), *cells])
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _name_line(line: Line) -> str:
    if line.slice != ALL:
        return rf"\quad {escape_latex(line.slice)}"
    return escape_latex(line.model + (f" ({line.note})" if line.note else ""))


def _list_parts(cell: Cell | None, *, ranked: bool) -> list[str]:
    if cell is None:
        return [escape_latex(NOTHING)] * (6 if ranked else 5)
    row = cell.row
    parts = [
        escape_latex(show_value(row.value, row.unit)),
        escape_latex(show_interval(row.interval, row.unit)),
        f"{row.denominator}/{row.planned}",
        write_code(row.tag),
        escape_latex(row.proof),
    ]
    return [str(cell.rank) if cell.rank else escape_latex(NOTHING), *parts] if ranked else parts


def _join(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
