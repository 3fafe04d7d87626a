"""A log may have any shape: what a reader did not expect is a fault of the log, told in its words.

Only what a wrong shape raises is taken: a missing key, a value of another type or out of range. Everything else is a
fault of ours and passes through.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from benchproof.interop.errors import UnreadableLogError

One = TypeVar("One")

WRONG_SHAPE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError)


@contextmanager
def expected_shape(place: str) -> Iterator[None]:
    """Turn what a wrong shape raises into ``UnreadableLogError``."""
    try:
        yield
    except WRONG_SHAPE as fault:
        raise UnreadableLogError(
            "the log has another shape than its format", place=place, got=describe_fault(fault)
        ) from fault


def each_in_shape(values: Iterable[One], place: str) -> Iterator[One]:
    """The values, read under ``expected_shape``."""
    iterator = iter(values)
    while True:
        with expected_shape(place):
            try:
                value = next(iterator)
            except StopIteration:
                return
        yield value


def describe_fault(fault: BaseException) -> str:
    """What was met, in a few words."""
    return f"{type(fault).__name__}: {fault}"[:200]
