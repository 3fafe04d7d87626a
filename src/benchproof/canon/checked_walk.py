"""The strict walk over a value before it is written: the reference that decides what is refused, and where."""

from collections.abc import Iterator
from typing import Any

from benchproof.canon.errors import CanonicalError
from benchproof.canon.pointers import join_pointer
from benchproof.canon.profile import MAX_SAFE_INTEGER, Profile
from benchproof.canon.refusals import (
    Refusal,
    j003_too_deep,
    j006_inexact_integer,
    j006_number_range,
    j008_not_finite,
    j009_lone_surrogate,
    j012_key_not_text,
    j012_not_json,
)

_Members = Iterator[tuple[Any, Any]]


def check_value(value: Any, *, profile: Profile, max_depth: int) -> None:
    """Refuse a value that has no canonical form: the first fault in the order of writing, with its JSON Pointer.

    Iterative, so neither depth nor a list that holds itself can exhaust the stack: both end as J003.
    """
    path: list[str | int] = []
    frames: list[_Members] = []

    def refuse(refusal: Refusal | None) -> None:
        if refusal is not None:
            raise CanonicalError(refusal, pointer=join_pointer(path))

    def enter(child: Any) -> None:
        refuse(j012_not_json(child))
        if type(child) is dict:
            refuse(j003_too_deep(len(frames) + 1, max_depth))
            for key in child:
                refuse(j012_key_not_text(key))
            frames.append(iter(child.items()))
        elif type(child) is list:
            refuse(j003_too_deep(len(frames) + 1, max_depth))
            frames.append(iter(enumerate(child)))
        else:
            refuse(_find_scalar_fault(child, profile))

    enter(value)
    while frames:
        depth = len(frames)
        member = next(frames[-1], None)
        if member is None:
            frames.pop()
            del path[-1:]
            continue
        key, child = member
        path.append(key)
        if type(key) is str:
            refuse(j009_lone_surrogate(key))
        enter(child)
        if len(frames) == depth:
            path.pop()


def _find_scalar_fault(scalar: Any, profile: Profile) -> Refusal | None:
    if type(scalar) is str:
        return j009_lone_surrogate(scalar)
    if type(scalar) is float:
        return j008_not_finite(scalar, repr(scalar)) or j006_number_range(scalar, profile, repr(scalar))
    if type(scalar) is int and not -MAX_SAFE_INTEGER <= scalar <= MAX_SAFE_INTEGER:
        token = _describe_integer(scalar)
        return j006_number_range(scalar, profile, token) or j006_inexact_integer(scalar, token)
    return None


def _describe_integer(number: int) -> str:
    """Name a big integer without its digits: Python refuses to print thousands of them."""
    return str(number) if number.bit_length() < 128 else f"an integer of {number.bit_length()} bits"
