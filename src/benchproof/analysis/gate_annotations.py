"""A gate as GitHub workflow commands: one annotation for each axis that does not pass, one notice where all do.

The runner reads commands line by line, so what is a line feed or a separator in a message is escaped as the runner
undoes it (actions/toolkit, ``command.ts``).
"""

from benchproof.analysis.gate_parts import Gate
from benchproof.analysis.gate_text import say_why, show_margin, write_gate_headline, write_gate_verdict

_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_MESSAGE, ":": "%3A", ",": "%2C"}


def list_annotations(gate: Gate, *, file: str | None = None) -> list[str]:
    """``::error …``, ``::warning …`` and ``::notice …`` lines; ``file`` is what they point to, as the reference."""
    if gate.verdict == "pass":
        return [write_annotation("notice", "benchproof gate", _say_all(gate), file=file)]
    lines = []
    for axis in gate.axes:
        if axis.verdict == "fail":
            told = f"a loss of more than {show_margin(gate)} on {axis.axis_key}; {write_gate_headline(gate)}"
            lines.append(write_annotation("error", f"benchproof gate: {axis.axis_key} fails", told, file=file))
        elif axis.verdict == "cannot tell":
            title = f"benchproof gate: {axis.axis_key} cannot be told"
            lines.append(write_annotation("warning", title, f"cannot tell: {say_why(axis)}", file=file))
    return lines


def write_annotation(command: str, title: str, message: str, *, file: str | None = None) -> str:
    """One workflow command with its message."""
    properties = ([f"file={_escape(file, _PROPERTY)}"] if file else []) + [f"title={_escape(title, _PROPERTY)}"]
    return f"::{command} {','.join(properties)}::{_escape(message, _MESSAGE)}"


def _say_all(gate: Gate) -> str:
    return f"{write_gate_verdict(gate)}; {write_gate_headline(gate)}"


def _escape(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)
