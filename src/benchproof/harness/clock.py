"""Time as an argument: a wall clock for stamps and a steady one for durations."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """``now`` gives an aware time of day, ``monotonic`` seconds that never go back."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]

    def stamp(self) -> str:
        """Now in UTC as a manifest writes it, ``2026-11-30T21:25:41Z``."""
        return self.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
