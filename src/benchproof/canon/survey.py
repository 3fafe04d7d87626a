"""A quick look over a whole value, a container at a time, at the speed of built-in functions.

It says yes or "not sure", never why: the strict walk does that. What it must find is everything that orjson would
write without complaint and RFC 8785 would not: NaN, floats beyond 2^53-1, tuples, enums, deep nesting, keys beyond
U+D7FF, and floats whose text differs. (orjson itself complains of keys that are not exactly ``str``, of integers beyond
2^53-1 and of lone surrogates.)
"""

from collections.abc import Collection
from types import NoneType
from typing import Any, Final

from benchproof.canon.profile import MAX_SAFE_INTEGER

FASTEST_MAX_DEPTH: Final = 250
"""orjson writes 254 levels."""

_PLAIN_TYPES: Final = frozenset({NoneType, bool, int, str})
_JSON_TYPES: Final = _PLAIN_TYPES | {float, list, dict}
_SMALLEST_SAME_TEXT: Final = 1e-4
_LAST_KEY_IN_SAME_ORDER: Final = "\ud7ff"


class NotSure(Exception):  # noqa: N818 - internal signal
    """The value is not beyond doubt; the reference has to look."""


def find_odd_floats(value: Any, max_depth: int) -> bool:
    """Whether a value that is beyond doubt holds floats whose text orjson and RFC 8785 may spell differently.

    Raises:
        NotSure: Something in the value may not be written by orjson. A cycle ends here by its depth.
    """
    return _survey_members((value,), max_depth)


def _survey_container(container: Any, levels_left: int) -> bool:
    if levels_left < 0:
        raise NotSure
    if type(container) is list:
        return _survey_members(container, levels_left)
    _check_key_order(container)
    return _survey_members(container.values(), levels_left)


def _survey_members(members: Collection[Any], levels_left: int) -> bool:
    types = set(map(type, members))
    if types <= _PLAIN_TYPES:
        return False
    if not types <= _JSON_TYPES:
        raise NotSure
    has_odd = False
    if float in types:
        has_odd = _survey_floats(members if len(types) == 1 else [c for c in members if type(c) is float])
    if dict in types or list in types:
        for child in members:
            if type(child) is dict or type(child) is list:
                has_odd |= _survey_container(child, levels_left - 1)
    return has_odd


def _survey_floats(floats: Collection[float]) -> bool:
    """Odd are whole floats (``1.0``) and small ones (``1e-06``)."""
    sizes = list(map(abs, floats))
    if not sum(sizes) <= MAX_SAFE_INTEGER and not all(size <= MAX_SAFE_INTEGER for size in sizes):
        raise NotSure
    return min(sizes) < _SMALLEST_SAME_TEXT or any(map(float.is_integer, floats))


def _check_key_order(members: dict[Any, Any]) -> None:
    """Make sure that code points, by which orjson sorts, and UTF-16 sort the keys alike."""
    try:
        keys = "".join(members)
    except TypeError:
        raise NotSure from None
    if not keys.isascii() and max(keys) > _LAST_KEY_IN_SAME_ORDER:
        raise NotSure
