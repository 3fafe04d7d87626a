"""Number tokens of JSON (RFC 8259 §6), read under a profile."""

import re
from typing import Final

from benchproof.canon.locate import FaultAt
from benchproof.canon.pointers import excerpt
from benchproof.canon.profile import MAX_SAFE_INTEGER, Profile
from benchproof.canon.refusals import (
    Refusal,
    j004_syntax,
    j006_number_range,
    j007_underflow,
    j008_not_finite,
)

NUMBER: Final = re.compile(r"-?[0-9][0-9A-Za-z.+-]*|-(?![A-Za-z])|\.[0-9][0-9A-Za-z.+-]*|\+[0-9][0-9A-Za-z.+-]*")
"""Whatever begins like a number, so that a misspelt one is shown whole."""

_GRAMMAR: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_SAFE_DIGITS: Final = 17


def read_number(token: re.Match[str], profile: Profile) -> int | float:
    """Read a number: an integer where it is spelt as one and safe, else the nearest double; never ``-0.0``.

    Raises:
        FaultAt: The token is no JSON number (J004), or beyond the profile (J006 to J008).
    """
    spelt = token[0]
    grammar = _GRAMMAR.fullmatch(spelt)
    if grammar is None:
        refusal = j004_syntax(
            "a number is not spelt as JSON",
            got=excerpt(spelt),
            expected="digits without a leading 0 or +, digits on both sides of a point",
        )
        raise FaultAt(refusal, token.start())
    if grammar[1] is None and grammar[2] is None and len(spelt) <= _SAFE_DIGITS:
        whole = int(spelt)
        if -MAX_SAFE_INTEGER <= whole <= MAX_SAFE_INTEGER:
            return whole
    number = float(spelt)
    refusal_of_value = find_number_fault(number, spelt, profile)
    if refusal_of_value is not None:
        raise FaultAt(refusal_of_value, token.start())
    return number + 0.0


def find_number_fault(number: float, spelt: str, profile: Profile) -> Refusal | None:
    """Say which rule a number token breaks, given the nearest double (an integer beyond the doubles is infinite)."""
    if profile == "strict" and spelt.lstrip("-").isdecimal():
        return j006_number_range(number, profile, spelt)
    return (
        j008_not_finite(number, spelt)
        or j006_number_range(number, profile, spelt)
        or j007_underflow(spelt, number, profile)
    )
