"""JSON as other harnesses write it: strict first, and then the one extension that is tolerated.

Bare NaN and Infinity are read as those floats, and a lone surrogate is replaced by U+FFFD; both are said. Everything
else that strict reading refuses is refused here: duplicate keys, depth, trailing data, bytes that are no UTF-8.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from benchproof.canon import StrictJsonError, parse
from benchproof.interop.errors import UnreadableLogError

MAX_DEPTH = 512
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

NOT_FINITE = "J008"
SURROGATE = "J009"
BOM = "J001"


class ForeignValue(NamedTuple):
    """A value and the codes of the strict rules that its bytes break."""

    value: Any
    broken: frozenset[str]


def read_json(data: bytes, *, place: str, max_bytes: int | None = None) -> ForeignValue:
    """Read one document.

    Raises:
        UnreadableLogError: The bytes are no JSON, whatever is tolerated.
    """
    broken: set[str] = set()
    if data.startswith(BYTE_ORDER_MARK):
        data = data[len(BYTE_ORDER_MARK) :]
        broken.add(BOM)
    try:
        return ForeignValue(
            parse(data, profile="rfc8785", max_depth=MAX_DEPTH, max_bytes=max_bytes, place=place), frozenset(broken)
        )
    except StrictJsonError as error:
        refusal = error
    if refusal.code not in _TOLERATED:
        raise _refuse(refusal)
    value = _read_tolerant(data, broken, refusal)
    return ForeignValue(value, frozenset(broken))


_TOLERATED = frozenset({NOT_FINITE, SURROGATE})


def _read_tolerant(data: bytes, broken: set[str], refusal: StrictJsonError) -> Any:
    """By the standard library; depth and encoding were checked by the strict reader before it met what is tolerated."""

    def constant(name: str) -> float:
        broken.add(NOT_FINITE)
        return float(name.replace("Infinity", "inf"))

    def number(text: str) -> float:
        value = float(text)
        if value in (float("inf"), float("-inf")):
            broken.add(NOT_FINITE)
        return value

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(items)
        if len(table) != len(items):
            _raise_duplicate(items, refusal.source)
        return table

    try:
        value = json.loads(data, parse_constant=constant, parse_float=number, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as fault:
        raise _refuse(refusal) from fault
    return _replace_surrogates(value, lambda: broken.add(SURROGATE))


def _replace_surrogates(value: Any, tell: Callable[[], None]) -> Any:
    if isinstance(value, str):
        if value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value):
            return value
        tell()
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in value)
    if isinstance(value, list):
        return [_replace_surrogates(one, tell) for one in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key, tell): _replace_surrogates(one, tell) for key, one in value.items()}
    return value


def _raise_duplicate(items: list[tuple[str, Any]], place: str | None) -> NoReturn:
    names = [name for name, _ in items]
    twice = next(name for name in names if names.count(name) > 1)
    raise UnreadableLogError("a key stands twice in one object", place=place, got=repr(twice)[:120])


def _refuse(error: StrictJsonError) -> UnreadableLogError:
    return UnreadableLogError(
        f"{error.what} [{error.code}]", place=error.place, got=error.got, expected=error.expected, hint=error.hint
    )
