"""Canonical JSON after RFC 8785: a reference path that decides, and a fast path with the same bytes.

Laws:
    - ``canonical`` and ``canonical_slow`` give the same bytes, or the same error, on every input.
    - The fast path only ever says yes; whatever it is not sure of goes to the reference path.
    - Under ``strict``, ``parse(canonical(value)) == value``: ``-0.0`` is written ``0``, ``1.0`` is written ``1``.

Trade-off: without compiled code of our own, orjson does the writing. It refuses keys that are not exactly ``str``,
integers beyond 2^53-1, lone surrogates and values that hold themselves. What else it would write and RFC 8785 would not
is looked for: other types, NaN, floats beyond 2^53-1 and deep nesting in the value, keys in another order in the text.
Numbers that it spells otherwise are rewritten in its text.
"""

import math
import re
from typing import Any, Final

import orjson

from benchproof.canon.checked_walk import check_value
from benchproof.canon.errors import CanonError, CanonicalError
from benchproof.canon.jcs_library import LibraryRefusal, dump_jcs
from benchproof.canon.number_rewrite import rewrite_numbers
from benchproof.canon.profile import DEEPEST, DEFAULT_MAX_DEPTH, MAX_SAFE_INTEGER, Profile, check_profile
from benchproof.canon.refusals import j003_no_room, j013_other_canonicalization
from benchproof.canon.survey import NotSure, survey_floats

_OPTIONS: Final = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
)
_MANY: Final = 16
"""From so many objects on, an array is written one by one: a number that must be respelt slows its own object alone."""
_STRING_FROM_ITS_FIRST_ASTRAL: Final = re.compile(rb'[\xf0-\xf4](?:[^"\\]++|\\.)*+"(:?)', re.DOTALL)


def canonical(value: Any, *, profile: Profile = "strict", max_depth: int = DEFAULT_MAX_DEPTH) -> bytes:
    """Write a value in canonical form: UTF-8, no trailing line feed.

    Raises:
        CanonicalError: The value is not JSON or breaks the profile; nothing is coerced.
    """
    check_profile(profile)
    try:
        if type(value) is list and len(value) >= _MANY and type(value[0]) is dict:
            return b"[" + b",".join([_write_fast(member, max_depth - 1) for member in value]) + b"]"
        return _write_fast(value, max_depth)
    except (NotSure, RecursionError, orjson.JSONEncodeError):
        return canonical_slow(value, profile=profile, max_depth=max_depth)


def canonical_slow(value: Any, *, profile: Profile = "strict", max_depth: int = DEFAULT_MAX_DEPTH) -> bytes:
    """Write a value in canonical form by our own strict walk and the ``rfc8785`` library: the reference.

    Raises:
        CanonicalError: The value is not JSON or breaks the profile; nothing is coerced.
    """
    check_profile(profile)
    check_value(value, profile=profile, max_depth=min(max_depth, DEEPEST))
    try:
        return dump_jcs(value if profile == "strict" else _pass_through_doubles(value))
    except RecursionError:
        raise CanonicalError(j003_no_room(), pointer="") from None
    except LibraryRefusal as fault:
        raise CanonicalError(fault.refusal, pointer="") from None


def check_canonicalization(label: object, *, place: str | None = None) -> None:
    """Refuse a document that names another canonical form than ours.

    Raises:
        CanonError: The label is not ``rfc8785-jcs-v1`` (J013).
    """
    refusal = j013_other_canonicalization(label)
    if refusal is not None:
        raise CanonError(refusal, place=place)


def _write_fast(value: Any, max_depth: int) -> bytes:
    """Write a value that is beyond doubt.

    Raises:
        NotSure, RecursionError, orjson.JSONEncodeError: It is not.
    """
    written = orjson.dumps(value, option=_OPTIONS)
    floats = survey_floats(value, max_depth)
    if not (_are_safe(floats) and _is_in_order(written)):
        raise NotSure
    return rewrite_numbers(written, orjson.dumps(floats)) if floats else written


def _are_safe(floats: list[float]) -> bool:
    """Whether all are within ±(2^53-1); a NaN would make the sum one."""
    return not floats or (
        math.isfinite(sum(floats)) and max(floats) <= MAX_SAFE_INTEGER and min(floats) >= -MAX_SAFE_INTEGER
    )


def _is_in_order(written: bytes) -> bool:
    """Whether code points, by which orjson sorts, surely put the keys in the order of their UTF-16 code units.

    The orders differ only where a key with a character beyond U+FFFF meets one with a character from U+E000 on.
    """
    if written.isascii() or not (b"\xee" in written or b"\xef" in written):
        return True
    return b":" not in _STRING_FROM_ITS_FIRST_ASTRAL.findall(written)


def _pass_through_doubles(value: Any) -> Any:
    """Copy a checked value with integers beyond 2^53-1 as the doubles that hold them."""
    if type(value) is dict:
        return {key: _pass_through_doubles(child) for key, child in value.items()}
    if type(value) is list:
        return [_pass_through_doubles(child) for child in value]
    if type(value) is int and not -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
        return float(value)
    return value
