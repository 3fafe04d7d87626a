"""Rewrite the numbers in orjson's output whose text is not ECMAScript's (RFC 8785 §3.2.2.3).

Only bytes outside strings are touched: the text is cut at its strings, the pieces between them are joined by a
quotation mark (which no piece holds), rewritten in a few passes, and put back.
"""

import re
from typing import Final

from benchproof.canon.jcs_library import number_text

_STRING: Final = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")', re.DOTALL)
_EXPONENT: Final = re.compile(rb"[eE][-+0-9]")
# A number is only tried from its first digit: without the look behind, long fractions would take quadratic time.
_NUMBER_WITH_EXPONENT: Final = re.compile(rb"(?<![0-9.])[0-9]++(?:\.[0-9]++)?[eE][+-]?[0-9]++")


def rewrite_numbers(written: bytes) -> bytes:
    """Give every number the ECMAScript text; ``written`` is JSON as orjson writes it, without white space."""
    parts = _STRING.split(written + b",")  # so that every number has something after it
    pieces = b'"'.join(parts[0::2])
    if _EXPONENT.search(pieces):
        pieces = _NUMBER_WITH_EXPONENT.sub(_rewrite_number, pieces)
    for after in (b",", b"]", b"}"):
        pieces = pieces.replace(b".0" + after, after).replace(b"-0" + after, b"0" + after)
    parts[0::2] = pieces.split(b'"')
    return b"".join(parts)[:-1]


def _rewrite_number(match: re.Match[bytes]) -> bytes:
    return number_text(float(match[0]))
