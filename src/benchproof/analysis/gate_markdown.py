"""A gate as Markdown, for the comment of a pull request.

Names come from runs that others may have made: they stand in code spans, where GitHub reads no mention, link or tag.
"""

from benchproof.analysis.contrast_parts import Side
from benchproof.analysis.gate_parts import AxisGate, Gate
from benchproof.analysis.gate_text import (
    FIGURES,
    HEADS,
    list_axis_cells,
    list_remarks,
    say_verdict,
    write_gate_headline,
)

MARKER = "<!-- benchproof gate -->"
"""First line of the comment, by which a workflow finds it again."""

_PLAIN = {character: f"\\{character}" for character in "\\`|*_[]~"} | {
    "<": "&lt;",
    "&": "&amp;",
    "#": "&#35;",
    "@": "&#64;",
}
_SIGNS = {"pass": "✅", "fail": "❌", "cannot tell": "⚠️"}


def render_gate_markdown(gate: Gate, *, version: str) -> str:
    """The gate with all that the text says."""
    parts = [
        MARKER,
        f"### {_SIGNS[gate.verdict]} {gate.verdict}: {_escape(say_verdict(gate))}",
        _escape(write_gate_headline(gate)),
        "  \n".join((_write_side("reference", gate.reference), _write_side("candidate", gate.candidate))),
        _draw_axes(gate),
        "  \n".join(map(_escape, list_remarks(gate))),
        f"<sub>benchproof {_escape(version)}</sub>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _write_side(name: str, side: Side) -> str:
    synthetic = ", synthetic" if side.synthetic else ""
    return f"{name}: {_code(side.model)} {_code(side.run)}, manifest {_code(side.sha256[:12])}{synthetic}"


def _draw_axes(gate: Gate) -> str:
    rule = ["---:" if place in FIGURES else "---" for place in range(len(HEADS))]
    rows = [list(HEADS), rule, *map(_list_cells, gate.axes)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _list_cells(axis: AxisGate) -> list[str]:
    name, verdict, *figures, tags = list_axis_cells(axis)
    return [_code(name), f"{_SIGNS[axis.verdict]} {verdict}", *map(_escape, figures), _code(tags)]


def _code(text: str) -> str:
    """A code span on one line, also within a table."""
    plain = " ".join(text.replace("`", "'").split())
    return "`" + plain.replace("|", "\\|") + "`"


def _escape(text: str) -> str:
    """Plain words on one line: no markup, tag, mention or issue number is read in them."""
    return "".join(_PLAIN.get(character, character) for character in " ".join(text.split()))
