"""JSON Pointers (RFC 6901) and short, printable excerpts for messages."""

import json
from collections.abc import Iterable

EXCERPT_CHARACTERS = 60


def join_pointer(tokens: Iterable[str | int]) -> str:
    """Write the JSON Pointer of a path of keys and indexes (RFC 6901 §3); lone surrogates are written as escapes."""
    return "".join("/" + _printable(str(token).replace("~", "~0").replace("/", "~1")) for token in tokens)


def excerpt(text: str) -> str:
    """Quote a text for a message: short, on one line, printable on every terminal."""
    shown = text if len(text) <= EXCERPT_CHARACTERS else text[:EXCERPT_CHARACTERS] + "…"
    return _printable(json.dumps(shown, ensure_ascii=False))


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("ascii", "backslashreplace").decode() for c in text)
