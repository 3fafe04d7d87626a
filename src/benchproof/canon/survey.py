"""A quick look over a whole value, a level of nesting at a time.

It says what is there or "not sure", never what is wrong: the strict walk does that.
"""

from types import NoneType
from typing import Any, Final

_OTHER_TYPES: Final = frozenset({int, bool, NoneType})


class NotSure(Exception):  # noqa: N818 - internal signal
    """The value is not beyond doubt; the reference has to look."""


def survey_floats(value: Any, max_depth: int) -> list[float]:
    """All floats of a tree of JSON values, in no order that matters; a value that holds itself must not come here.

    Raises:
        NotSure: A type is not exactly one of JSON's, or the nesting is deeper than the limit.
    """
    floats: list[float] = []
    level = [value]
    for _ in range(max_depth + 1):
        inner: list[Any] = []
        is_last = True
        for member in level:
            kind = type(member)
            if kind is str:
                continue
            if kind is float:
                floats.append(member)
            elif kind is dict:
                is_last = False
                inner += member.values()
            elif kind is list:
                is_last = False
                inner += member
            elif kind not in _OTHER_TYPES:
                raise NotSure
        if is_last:
            return floats
        level = inner
    raise NotSure
