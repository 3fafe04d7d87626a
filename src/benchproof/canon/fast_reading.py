"""A fast reader that only ever says yes: to documents that are beyond doubt, with the value the scanner would give.

orjson reads, and refuses what is not JSON, not UTF-8, not finite, or half of a surrogate pair. Then it writes the
value again, and refuses integers beyond 2^53-1 and what is nested too deep. What it lets pass both ways shows in the
two texts: a member lost because its name came twice, floats beyond 2^53-1, numbers that became 0.
The texts are compared as they are first; where their strings hold something that looks like one of these, without them.
"""

import re
from functools import cache
from typing import Any, Final

import orjson

from benchproof.canon.outside_strings import outside_strings
from benchproof.canon.profile import DEEPEST, MAX_SAFE_INTEGER, Profile
from benchproof.canon.refusals import j007_underflow

NOT_SURE: Final = object()

# In what orjson writes. A search that begins with a rare character and looks behind it is as quick as memchr.
_HUGE_MARK: Final = b"+" if b"+" in orjson.dumps(1e16) else b"e"
_HUGE_EXPONENT: Final = re.compile(rb"\+(?<=[0-9]e\+)" if _HUGE_MARK == b"+" else rb"e(?<=[0-9]e)[0-9]")
_LONG_WHOLE: Final = re.compile(rb"\.0(?![0-9])(?<=[0-9]{16}\.0)")
_WHOLE: Final = re.compile(rb"(?<![0-9.])[0-9]{16,}+(?=\.0(?![0-9]))")
_ZERO_OR_LONG_WHOLE: Final = re.compile(rb"\.0(?![0-9])(?:(?<=0\.0)(?<![0-9]0\.0)|(?<=[0-9]{16}\.0))")
_NEGATIVE_ZERO: Final = re.compile(rb"-0\.0(?![0-9])")
# In what is read. With fewer digits in its exponent and fewer zeros in a row, no number is as small as 5e-324.
_TINY_EXPONENT: Final = re.compile(rb"-(?<=[eE]-)[0-9]{3}")
_MANY_ZEROS: Final = b"0" * 200
_NUMBER: Final = re.compile(rb"[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_ESCAPED_COLON: Final = re.compile(rb"\\u003[aA]")
_ESCAPE_OF_COLON: Final = b"\\u003"

_LONG: Final = 8192
"""From this many bytes on, counting brackets takes longer than wrapping."""


def read_fast(data: bytes, profile: Profile, max_depth: int) -> Any:
    """Read a document, or say that we are not sure."""
    try:
        value = orjson.loads(data)
        written = _write_shallow(value, data, max_depth)
        has_odd = _HUGE_MARK in written or _ZERO_OR_LONG_WHOLE.search(written) is not None
        is_checked = has_odd and profile == "strict"
        if (written != data or is_checked) and not (
            _is_whole(written, data, is_checked)
            or _is_whole(outside_strings(written), outside_strings(data), is_checked)
        ):
            return NOT_SURE
        return _without_negative_zeros(value) if has_odd and _NEGATIVE_ZERO.search(written) else value
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
        return NOT_SURE


def _is_whole(written: bytes, data: bytes, has_odd_numbers: bool) -> bool:
    """Whether what was written has every name that was read, and every number as it should be.

    A lost member takes its colon along. No other colon can make up for it, unless it was an escape before.
    """
    if has_odd_numbers and (_has_huge(written) or _has_vanished(data)):
        return False
    if written == data:
        return True
    may_hide_colon = _ESCAPE_OF_COLON in data and _ESCAPED_COLON.search(data) is not None
    return not may_hide_colon and written.count(b":") == data.count(b":")


def _has_huge(written: bytes) -> bool:
    """Whether a float is beyond 2^53-1."""
    if _HUGE_EXPONENT.search(written):
        return True
    return _LONG_WHOLE.search(written) is not None and any(
        int(digits) > MAX_SAFE_INTEGER for digits in _WHOLE.findall(written)
    )


def _has_vanished(data: bytes) -> bool:
    """Whether a number that is not 0 is read as 0."""
    if not (_TINY_EXPONENT.search(data) or _MANY_ZEROS in data):
        return False
    return any(j007_underflow(token.decode(), float(token), "strict") for token in _NUMBER.findall(data))


def _write_shallow(value: Any, data: bytes, max_depth: int) -> bytes:
    """Write a value that is surely nested within the limit: its text has few brackets, or orjson lets us know.

    A member lost because its name came twice may take deep nesting along; that it is lost is found later.

    orjson refuses to go deeper than a limit of its own, so the value is wrapped to come near that. Should it not
    count an empty array or object, there is one level to spare.

    Raises:
        orjson.JSONEncodeError: It may be nested deeper, or has an integer beyond 2^53-1.
    """
    if len(data) < _LONG:
        written = orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
        if written.count(b"[") + written.count(b"{") <= max_depth:
            return written
    wraps = max(0, _find_deepest_written() - max_depth + 1)
    for _ in range(wraps):
        value = [value]
    return orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)[wraps : -wraps or None]


@cache
def _find_deepest_written() -> int:
    """How many levels orjson writes. It promises none, so it is tried."""
    value: list[Any] = [0]
    for depth in range(1, 2 * DEEPEST):
        try:
            orjson.dumps(value)
        except orjson.JSONEncodeError:
            return depth - 1
        value = [value]
    return 2 * DEEPEST


def _without_negative_zeros(value: Any) -> Any:
    """The same value, changed in place, with 0.0 for ``-0.0``."""
    members: Any = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    for key, member in members:
        if type(member) is dict or type(member) is list:
            _without_negative_zeros(member)
        elif member == 0 and type(member) is float:
            value[key] = 0.0
    return value + 0.0 if type(value) is float else value
