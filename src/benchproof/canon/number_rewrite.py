"""Give the numbers in orjson's output their ECMAScript text (RFC 8785 §3.2.2.3).

orjson has the right digits of a double and its own way to set them: ``1.0`` for ``1``, ``-0.0`` for ``0``, an exponent
where ECMAScript has none. How it sets them is no promise of its, so it is asked: the floats of the document are written
alone too. What has to be respelt must be found in the document as often as there; then no string holds anything like
it, and the whole text is rewritten at once. Otherwise the text is cut at its strings first.
"""

import re
from typing import Final

from benchproof.canon.jcs_library import dump_jcs
from benchproof.canon.outside_strings import cut_at_strings


def _respell(number: re.Match[bytes]) -> bytes:
    return number[1] + dump_jcs(float(number[2]))


# A number stands between a colon, comma or bracket and a comma or bracket. ``e-7``, ``e-8`` … are right as they are.
_RULES: Final = (
    (
        re.compile(rb"([:,\[])(-?[0-9]++(?:\.[0-9]++)?(?:(?<=\.0)[eE]|[eE](?!-[7-9][,\]}]|-[1-9][0-9]))[-+0-9]++)"),
        _respell,
    ),
    (re.compile(rb"-0(?:\.0)?(?=[,\]}])"), b"0"),
    (re.compile(rb"\.0(?=[,\]}])"), b""),
)


def rewrite_numbers(written: bytes, spelt: bytes) -> bytes:
    """Respell the numbers of a document as orjson wrote it; ``spelt`` is the array of all its floats, written alike."""
    rewritten = written
    for pattern, replacement in _RULES:
        spelt, expected = pattern.subn(replacement, spelt)
        if expected:
            rewritten, found = pattern.subn(replacement, rewritten)
            if found != expected:
                return _rewrite_outside_strings(written)
    return rewritten


def _rewrite_outside_strings(written: bytes) -> bytes:
    parts = cut_at_strings(b"[" + written + b"]")  # so that a number alone has something on both sides too
    outside = b'"'.join(parts[::2])
    for pattern, replacement in _RULES:
        outside = pattern.sub(replacement, outside)
    parts[::2] = outside.split(b'"')
    return b'"'.join(parts)[1:-1]
