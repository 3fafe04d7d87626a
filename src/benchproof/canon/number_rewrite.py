"""Rewrite the numbers in orjson's output whose text is not ECMAScript's (RFC 8785 §3.2.2.3).

Only bytes outside strings are touched: the text is cut at its strings, the pieces between them are joined by a
quotation mark (which no piece holds), rewritten in one pass, and put back.
"""

import re

from benchproof.canon.jcs_library import number_text

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_ODD_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+|-?[0-9]+\.0(?![0-9])")


def rewrite_numbers(written: bytes) -> bytes:
    """Give every number the ECMAScript text; ``written`` is valid JSON without white space."""
    strings = _STRING.findall(written)
    if not strings:
        return _ODD_NUMBER.sub(_rewrite_number, written)
    between = b'"'.join(_STRING.split(written))
    pieces = _ODD_NUMBER.sub(_rewrite_number, between).split(b'"')
    parts = [b""] * (len(pieces) + len(strings))
    parts[0::2] = pieces
    parts[1::2] = strings
    return b"".join(parts)


def _rewrite_number(match: re.Match[bytes]) -> bytes:
    token = match[0]
    if token.endswith(b".0"):
        return b"0" if token == b"-0.0" else token[:-2]
    return number_text(float(token))
