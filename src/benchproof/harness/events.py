"""What a run tells while it runs: typed events to one callback, for progress and logs. No event is evidence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchproof.records.run import Outcome


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run is open. ``planned`` and ``done`` count items by axis key; ``done`` is what an earlier sitting recorded."""

    run_id: str
    model_id: str
    planned: Mapping[str, int]
    done: Mapping[str, int]
    resumed: bool


@dataclass(frozen=True, slots=True)
class ItemDone:
    """One item has its record; counts are of its axis so far."""

    axis_key: str
    item_id: str
    outcome: Outcome
    done: int
    planned: int
    errored: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know."""

    text: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run ended before its last item."""

    run_id: str
    reason: Literal["budget", "interrupted"]


@dataclass(frozen=True, slots=True)
class Sealed:
    """The run is sealed; ``counts`` are outcomes by axis key."""

    run_id: str
    sha256: str
    path: Path
    partial: bool
    counts: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Reused:
    """A sealed run of the same bench, model and options was found, so nothing was asked."""

    run_id: str
    sha256: str
    path: Path


Event = RunStarted | ItemDone | Note | Stopped | Sealed | Reused
OnEvent = Callable[[Event], None]
