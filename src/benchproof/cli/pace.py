"""How fast work goes, in words: for whoever reads a log instead of a terminal."""

import time
from collections.abc import Callable

EVERY = 30.0
"""Seconds between two lines about work that goes on."""


class Pace:
    """Seconds since the work began, and when the next line about it is due; ``monotonic`` is a steady clock."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, *, every: float = EVERY) -> None:
        self._monotonic = monotonic
        self._every = every
        self.begin()

    def begin(self) -> None:
        """The work begins now."""
        self._begun = self._said = self._monotonic()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return self._monotonic() - self._begun

    def is_due(self) -> bool:
        """Whether it is time for a line; once it is, the next one is due as many seconds later."""
        now = self._monotonic()
        if now - self._said < self._every:
            return False
        self._said = now
        return True


def show_rate(count: int, seconds: float) -> str:
    """``0.9 items/s``; slow work has two digits that say something."""
    if count == 0 or seconds <= 0:
        return "nothing asked"
    rate = count / seconds
    return f"{rate:,.0f} items/s" if rate >= 100 else f"{rate:.1f} items/s" if rate >= 1 else f"{rate:.2g} items/s"


def describe_pace(done: int, planned: int, asked: int, seconds: float) -> str:
    """``84 of 210 items, 0.9 items/s, about 2 min left``; ``asked`` of the done were asked in these ``seconds``."""
    from benchproof.harness import describe_seconds

    left = describe_seconds((planned - done) * seconds / asked) if asked else "unknown"
    about = left if left.startswith("<") else f"about {left}"
    return f"{done:,} of {planned:,} items, {show_rate(asked, seconds)}, {about} left"
