"""Where in a text something is: depth, JSON Pointer, line and column.

Works on any text, well-formed or not: only strings, brackets, commas and colons are looked at.
"""

import json
import re
from typing import Final

from benchproof.canon.pointers import join_pointer
from benchproof.canon.refusals import Refusal, j003_too_deep

_STRING_OR_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_STRUCTURE: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)


class FaultAt(Exception):  # noqa: N818 - internal signal, turned into StrictJsonError by the reader
    """Signal that the character at ``position`` of a text breaks a rule.

    ``pointer_to`` is the position up to which the JSON Pointer is followed, where it is another one (a key that
    stands twice is part of the pointer).
    """

    def __init__(self, refusal: Refusal, position: int, *, pointer_to: int | None = None) -> None:
        super().__init__(refusal.what)
        self.refusal = refusal
        self.position = position
        self.pointer_to = position if pointer_to is None else pointer_to


def check_depth(text: str, max_depth: int) -> None:
    """Refuse nesting beyond the limit; brackets inside strings do not count.

    Raises:
        FaultAt: At the first bracket too many (J003).
    """
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        if token[0] in ("[", "{"):
            depth += 1
            refusal = j003_too_deep(depth, max_depth)
            if refusal is not None:
                raise FaultAt(refusal, token.start())
        elif token[0] in ("]", "}"):
            depth -= 1


def find_pointer(text: str, position: int) -> str:
    """The JSON Pointer of the value that is being read at ``position``."""
    path: list[str | int | None] = []
    for token in _STRUCTURE.finditer(text, 0, position):
        mark = token[0]
        if mark in ("[", "{"):
            path.append(0 if mark == "[" else None)
        elif mark in ("]", "}"):
            del path[-1:]
        elif not path:
            continue
        elif mark == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif path[-1] is None:
            path[-1] = _read_whole_key(mark)
    return join_pointer(step for step in path if step is not None)


def find_line_and_column(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position, both from 1; a line ends with a line feed, a column is a character."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _read_whole_key(token: str) -> str | None:
    """The key that a string token spells; nothing where the token is cut or broken."""
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return None
