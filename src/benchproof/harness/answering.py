"""Who answers the batches of a run: the open model itself, or workers with a model each (contract-bench §4).

Laws kept: whoever answers gives the same raw lines, because a line depends on its item and its passage's text alone; no
more batches are formed than can be asked soon, so that memory stays flat and a stop loses little.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from benchproof.harness.calls import ask_items
from benchproof.models import Model
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import RawLine


@dataclass(frozen=True, slots=True)
class Batch:
    """Items of one axis that are asked in one call. ``passage`` is the same for batches that begin with one text."""

    axis_key: str
    items: Sequence[CompiledItem]
    passage: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The raw lines of one batch, and what the call took in seconds an item."""

    axis_key: str
    lines: Sequence[RawLine]
    timing: Mapping[str, float]


class Answerer(Protocol):
    """Answers batches, each as soon as it can, in any order."""

    def answer(
        self, axes: Mapping[str, ResolvedAxis], batches: Iterable[Batch], *, seed: int
    ) -> Generator[Answered, None, None]:
        """Ask ``batches`` and give what was answered; ``axes`` are by axis key."""
        ...


class ModelAnswerer:
    """One model, asked in this process, a batch after the other."""

    def __init__(self, model: Model, monotonic: Callable[[], float]) -> None:
        self._model = model
        self._monotonic = monotonic

    def answer(
        self, axes: Mapping[str, ResolvedAxis], batches: Iterable[Batch], *, seed: int
    ) -> Generator[Answered, None, None]:
        """See ``Answerer``; a batch is formed when the one before it is recorded."""
        for batch in batches:
            begun = self._monotonic()
            lines = ask_items(self._model, axes[batch.axis_key], batch.items, seed=seed)
            seconds = (self._monotonic() - begun) / len(batch.items)
            yield Answered(batch.axis_key, lines, {"seconds": round(seconds, 6)})
