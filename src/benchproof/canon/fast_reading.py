"""Fast readers that only ever say yes: to documents that are beyond doubt, with the value the scanner would give.

``read_compact`` takes what is read and written back byte for byte, by orjson or canonically: that proves no duplicate
key, no odd escape, no odd spelling of a number but ``-0.0``, no trailing data. ``read_shallow`` takes the rest by the
standard library's decoder with a hook for every object and number, once the nesting is surely within the limit.
"""

import json
import re
from typing import Any, Final, NoReturn

import orjson

from benchproof.canon.number_rewrite import rewrite_numbers
from benchproof.canon.number_tokens import find_number_fault
from benchproof.canon.profile import MAX_SAFE_INTEGER, Profile
from benchproof.canon.survey import FASTEST_MAX_DEPTH, NotSure, find_odd_floats

NOT_SURE: Final = object()

_LOOKS_SPACED: Final = re.compile(rb'[\[{]*+(?:[ \t\n\r\xef]|"[^"\\]*":[ ]|(?:"[^"\\]*"|[-+.0-9a-zA-Z]+),[ \n\r])')
_NEGATIVE_ZERO: Final = re.compile(rb"-0\.0(?![0-9])")
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SAFE_DIGITS: Final = 17
_BRACES_AS_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS: Final = bytes(sorted(set(range(256)) - set(b"[]{}")))


def read_compact(data: bytes, max_depth: int) -> Any:
    """Read a document without white space between its tokens, or say that we are not sure.

    orjson bounds its own depth, so nothing has to be known of the document before.
    """
    if _LOOKS_SPACED.match(data):
        return NOT_SURE
    try:
        value = orjson.loads(data)
        has_odd_floats = find_odd_floats(value, min(max_depth, FASTEST_MAX_DEPTH))
        written = orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
    except (NotSure, RecursionError, orjson.JSONDecodeError, orjson.JSONEncodeError):
        return NOT_SURE
    if written == data:
        return NOT_SURE if _NEGATIVE_ZERO.search(data) else value
    return value if has_odd_floats and rewrite_numbers(written) == data else NOT_SURE


def read_shallow(data: bytes, text: str, profile: Profile, max_depth: int) -> Any:
    """Read any document that the standard library's decoder takes under our hooks, or say that we are not sure."""
    if not is_shallow(data, min(max_depth, FASTEST_MAX_DEPTH)):
        return NOT_SURE
    try:
        value = _DECODERS[profile].decode(text)
        if _SURROGATE_ESCAPE.search(text):
            orjson.loads(data)
    except (ValueError, RecursionError, NotSure):
        return NOT_SURE
    return value


def is_shallow(data: bytes, max_depth: int) -> bool:
    """Whether nesting is surely within the limit; brackets inside strings may make it unsure, never wrong.

    Each round takes away the innermost brackets, so a document of depth ``d`` is gone after ``d`` rounds. What is
    left of a malformed document makes it unsure.
    """
    if data.count(b"[") + data.count(b"{") <= max_depth:
        return True
    brackets = _STRING.sub(b"", data).translate(_BRACES_AS_BRACKETS, _NOT_BRACKETS)
    for _ in range(max_depth):
        if not brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return not brackets


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotSure
    return members


def _read_strict_integer(token: str) -> int:
    number = _read_foreign_number(token)
    if type(number) is not int:
        raise NotSure
    return number


def _read_foreign_number(token: str) -> int | float:
    """An integer where it is safe, else the double that the scanner would give."""
    if len(token) <= _SAFE_DIGITS:
        number = int(token)
        if -MAX_SAFE_INTEGER <= number <= MAX_SAFE_INTEGER:
            return number
    return _read_foreign_float(token)


def _read_strict_float(token: str) -> float:
    number = float(token)
    if not 0 < abs(number) <= MAX_SAFE_INTEGER and find_number_fault(number, token, "strict") is not None:
        raise NotSure
    return number + 0.0


def _read_foreign_float(token: str) -> float:
    number = float(token)
    if find_number_fault(number, token, "rfc8785") is not None:
        raise NotSure
    return number + 0.0


def _refuse_constant(_token: str) -> NoReturn:
    raise NotSure


_DECODERS: Final[dict[Profile, json.JSONDecoder]] = {
    "strict": json.JSONDecoder(
        object_pairs_hook=_build_object,
        parse_int=_read_strict_integer,
        parse_float=_read_strict_float,
        parse_constant=_refuse_constant,
    ),
    "rfc8785": json.JSONDecoder(
        object_pairs_hook=_build_object,
        parse_int=_read_foreign_number,
        parse_float=_read_foreign_float,
        parse_constant=_refuse_constant,
    ),
}
