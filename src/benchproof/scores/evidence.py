"""What scoring reads of a sealed run; ``archive.SealedRun`` is one."""

from collections.abc import Iterator
from typing import Any, Protocol

from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun


class Evidence(Protocol):
    """Axes, items and records of one run; items and records come in any order."""

    @property
    def id(self) -> str:
        """The run's id."""
        ...

    @property
    def sha256(self) -> str:
        """The SHA-256 of the run's manifest: its identity."""
        ...

    @property
    def axis_keys(self) -> tuple[str, ...]:
        """``<axis>.<language>`` of each axis."""
        ...

    def axis(self, axis_key: str, /) -> ResolvedAxis:
        """The resolved axis as run."""
        ...

    def axis_of_run(self, axis_key: str, /) -> AxisOfRun:
        """What the manifest states of the axis."""
        ...

    def items(self, axis_key: str, /) -> Iterator[CompiledItem]:
        """The compiled items as run, planned but unasked ones too."""
        ...

    def records(self, axis_key: str, /) -> Iterator[tuple[Any, Any]]:
        """Each record with where it stands; an item that was not asked has none."""
        ...
