"""Text as HTML in which nothing hides: escaped, with invisible and direction-changing characters spelt out.

Hostile model text is shown, never obeyed. What reorders or hides its surroundings (bidirectional controls, zero-width
spaces, tags, control codes) is replaced by a labelled mark; joiners that scripts need (U+200C, U+200D) stay.
"""

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control codes but tab and line feed; HTML would drop or change them
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e0fff"
    "]"
)


def mark_text(text: str, *, line_ends: bool = False) -> "Markup":
    """Escape ``text`` and spell out hidden characters; with ``line_ends`` a line feed is also drawn as ``⏎``."""
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    position = 0
    for match in _HIDDEN.finditer(text):
        parts.append(escape(text[position : match.start()]))
        parts.append(_mark(match.group()))
        position = match.end()
    parts.append(escape(text[position:]))
    marked = Markup("").join(parts)
    if not line_ends:
        return marked
    return marked.replace("\n", Markup('<span class="eol" aria-label="line feed">⏎</span>\n'))


def spell_hidden(value: object) -> object:
    """Any value that a template writes, plain text with hidden characters as ``⟨U+202E⟩``: also fit for attributes."""
    from markupsafe import Markup

    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _HIDDEN.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", value)


def _mark(character: str) -> "Markup":
    from markupsafe import Markup

    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "control or unassigned character")
    return Markup('<span class="ctl" title="{}">{}</span>').format(name, code)


def shorten_text(text: str, limit: int) -> str:
    """The first ``limit`` characters on one line, with an ellipsis where something was cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"
