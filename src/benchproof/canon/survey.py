"""A quick look over a whole value, level by level, at the speed of built-in functions.

It says yes or "not sure", never why: the strict walk does that. What it must find is everything that orjson would
write without complaint and RFC 8785 would not: NaN, numbers beyond 2^53-1, tuples, enums, deep nesting, keys beyond
U+D7FF, and floats whose text differs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from types import NoneType
from typing import Any, Final

from benchproof.canon.profile import MAX_SAFE_INTEGER

FASTEST_MAX_DEPTH: Final = 250
"""orjson writes 254 levels."""

_JSON_TYPES: Final = frozenset({NoneType, bool, int, float, str, list, dict})
_SMALLEST_SAME_TEXT: Final = 1e-4
_LAST_KEY_IN_SAME_ORDER: Final = "\ud7ff"


@dataclass(frozen=True, slots=True)
class Survey:
    """What the writer has to know about a value that is all right."""

    has_odd_floats: bool


def survey_value(value: Any, max_depth: int) -> Survey | None:
    """Look whether orjson may write this value; ``None`` means not sure.

    Containers met twice on one level are looked at once, so shared and cyclic ones cost nothing extra; a cycle ends
    by its depth.
    """
    odd = False
    level: list[Any] = [value]
    for depth in range(max_depth + 1):
        types = set(map(type, level))
        if not types <= _JSON_TYPES:
            return None
        if float in types:
            floats = [child for child in level if type(child) is float]
            if not all(map(isfinite, floats)) or max(map(abs, floats)) > MAX_SAFE_INTEGER:
                return None
            odd = odd or _has_odd_float(floats)
        dicts = _distinct(child for child in level if type(child) is dict) if dict in types else []
        lists = _distinct(child for child in level if type(child) is list) if list in types else []
        if not dicts and not lists:
            return Survey(odd)
        if depth == max_depth or not _are_plain_keys(dicts):
            return None
        level = [*chain.from_iterable(lists), *chain.from_iterable(map(dict.values, dicts))]
    return None


def _distinct(containers: Iterable[Any]) -> list[Any]:
    return list({id(container): container for container in containers}.values())


def _are_plain_keys(dicts: list[dict[Any, Any]]) -> bool:
    """Whether all keys are texts that code points and UTF-16 sort alike."""
    if not set(map(type, chain.from_iterable(dicts))) <= {str}:
        return False
    return all(key.isascii() or max(key) <= _LAST_KEY_IN_SAME_ORDER for key in set(chain.from_iterable(dicts)))


def _has_odd_float(floats: list[float]) -> bool:
    """Whether any float may be spelt differently: whole ones (``1.0``) and small ones (``1e-06``)."""
    return any(map(float.is_integer, floats)) or min(map(abs, floats)) < _SMALLEST_SAME_TEXT
