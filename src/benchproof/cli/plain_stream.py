r"""The wall between what data says and what a terminal obeys: every word of every command passes it.

Names, ids, answers, paths and error messages quote strangers. Whatever would move the cursor, recolour, retitle,
reorder or vanish is spelt as an escape instead (``\u001b``); a line feed, a tab, a carriage return before a line feed
and the joiners that scripts need (U+200C, U+200D) pass. Half surrogates, which no encoding can write, are spelt too.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_OBEYED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]|\r(?!\n)"
)


def spell_obeyed(text: str) -> str:
    """``text`` with what a terminal would obey or hide as JSON escapes: JSON stays the same JSON."""
    return _OBEYED.sub(lambda match: _spell(match.group()), text)


def _spell(character: str) -> str:
    code = ord(character)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


class PlainStream:
    """A text stream that spells what it is given; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.obedient = stream

    def write(self, text: str) -> int:
        """Write ``text`` plainly."""
        return self.obedient.write(spell_obeyed(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.obedient, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """Standard output and error are plain within the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", PlainStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def obedient_stderr() -> TextIO:
    """Standard error as the terminal has it, for a progress bar of ours to draw on."""
    return cast("TextIO", getattr(sys.stderr, "obedient", sys.stderr))
