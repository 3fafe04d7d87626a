"""Give the numbers in orjson's output their ECMAScript text (RFC 8785 §3.2.2.3).

orjson has the right digits of a double and its own way to set them: ``1.0`` for ``1``, ``-0.0`` for ``0``, an exponent
where ECMAScript has none. How it sets them is no promise of its, so it is asked: the floats of the document are written
alone too. If none of them needs more than the loss of its ``.0``, and ``.0`` before a comma or a bracket is found in
the document as often as among its floats, then no string holds such a thing and the text can be rewritten as a whole.
Otherwise it is cut at its strings, and the numbers between them are rewritten.
"""

import re
from typing import Final

from benchproof.canon.jcs_library import dump_jcs
from benchproof.canon.outside_strings import cut_at_strings

_POINT_ZERO: Final = re.compile(rb"\.0(?=[,\]}]|\Z)")
_NEGATIVE_ZERO: Final = re.compile(rb"-0(?:\.0)?(?=[,\]}]|\Z)")
_EXPONENT: Final = rb"[eE](?!-[7-9](?![0-9])|-[1-9][0-9])[-+0-9]"
"""Any but ``e-7``, ``e-8`` … as ECMAScript writes them."""

_HARD_NUMBER: Final = re.compile(rb"-0(?:\.0)?[,\]]|\.0[eE]|" + _EXPONENT)
# A number is only tried from its first digit: without the look behind, long fractions would take quadratic time.
_NUMBER_WITH_EXPONENT: Final = re.compile(rb"(?<![0-9.])[0-9]++(?:\.[0-9]++)?[eE][-+0-9]++")


def rewrite_numbers(written: bytes, spelt: bytes) -> bytes:
    """Respell the numbers of a document as orjson wrote it; ``spelt`` is the array of all its floats, written alike."""
    if _HARD_NUMBER.search(spelt) is None:
        shortened, found = _POINT_ZERO.subn(b"", written)
        if found == len(_POINT_ZERO.findall(spelt)):
            return shortened
    parts = cut_at_strings(written)
    outside = b'"'.join(parts[::2])
    outside = _NUMBER_WITH_EXPONENT.sub(_respell, outside)
    outside = _NEGATIVE_ZERO.sub(b"0", outside)
    outside = _POINT_ZERO.sub(b"", outside)
    parts[::2] = outside.split(b'"')
    return b'"'.join(parts)


def _respell(number: re.Match[bytes]) -> bytes:
    return dump_jcs(float(number[0]))
