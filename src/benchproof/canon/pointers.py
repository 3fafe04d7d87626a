"""JSON Pointers (RFC 6901) and short, printable excerpts for messages."""

import json
from collections.abc import Iterable
from typing import Final

_EXCERPT: Final = 60
_MESSAGE_POINTER: Final = 120


def join_pointer(tokens: Iterable[str | int]) -> str:
    """Write the JSON Pointer of a path of keys and indexes (RFC 6901 §3); lone surrogates are written as escapes."""
    pointer = "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
    return pointer.encode("utf-8", "backslashreplace").decode("utf-8")


def show_pointer(pointer: str) -> str:
    """A pointer for a message: printable on every terminal, and without its middle where it is long."""
    half = _MESSAGE_POINTER // 2
    shown = pointer if len(pointer) <= _MESSAGE_POINTER else f"{pointer[:half]}…{pointer[-half:]}"
    return _printable(shown)


def excerpt(text: str) -> str:
    """Quote a text for a message: short, on one line, printable on every terminal."""
    shown = text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…"
    return _printable(json.dumps(shown, ensure_ascii=False))


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escape(ord(c)) for c in text)


def _escape(code_point: int) -> str:
    if code_point < 0x100:
        return f"\\x{code_point:02x}"
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"
