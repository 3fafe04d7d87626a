"""One sitting of a run: ask what has no record yet, then seal, stop at the budget, or leave the run open.

Laws kept: a finished answer is recorded before the next call; order, prompts and raw bytes depend on bench, model and
seed alone; memory does not grow with the number of items; nothing is sealed when the model's file has changed.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from benchproof.archive import OpenRun, seal_run, shared_prefix_text
from benchproof.canon import parse
from benchproof.errors import ExitCode
from benchproof.harness.answering import Answerer, Batch
from benchproof.harness.batches import form_batches, group_passages
from benchproof.harness.clock import Clock
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.events import ItemDone, Note, OnEvent, RunStarted, Sealed, Stopped
from benchproof.models import Model
from benchproof.records.call_words import describe_call_flag
from benchproof.records.run import ItemRecord, RawLine

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended. ``sha256`` and ``path`` are of the sealed run, ``None`` where the run is still open.

    ``counts`` are outcomes by axis key; ``asked`` is the number of items that this sitting asked.
    """

    run_id: str
    status: Literal["sealed", "reused", "open"]
    stopped: Literal["budget", "interrupted"] | None
    sha256: str | None
    path: Path | None
    partial: bool
    counts: Mapping[str, Mapping[str, int]]
    asked: int
    missing_required: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """130 interrupted, 3 budget, 1 a required axis has no answer, 4 an item errored or did not fit, else 0."""
        if self.stopped == "interrupted":
            return ExitCode.INTERRUPTED
        if self.stopped == "budget":
            return ExitCode.STOPPED_BY_BUDGET
        if self.missing_required:
            return ExitCode.NO
        if any(counts.get(lost) for counts in self.counts.values() for lost in ("errored", "truncated")):
            return ExitCode.CANNOT_TELL
        return ExitCode.YES


@dataclass(slots=True)
class _Source:
    """The batches of everything that has no record yet, formed as they are asked for, until the budget is spent."""

    compiled: CompiledBench
    done: Collection[tuple[str, str]]
    is_spent: Callable[[], bool]
    is_stopped: bool = False

    def __iter__(self) -> Iterator[Batch]:
        for key, axis in sorted(self.compiled.axes.items()):
            grouped = group_passages(axis, self.compiled.items[key])
            waiting = (item for item in grouped if (key, item["item_id"]) not in self.done)
            for items in form_batches(axis, waiting, self.compiled.batch.get(axis["axis"], 1)):
                if self.is_spent():
                    self.is_stopped = True
                    return
                yield Batch(key, items, shared_prefix_text(axis, items[0]))


@dataclass(slots=True)
class Sitting:
    """One sitting of a run: from opening or resuming it to its seal, its budget's end, or Ctrl-C."""

    run: OpenRun
    compiled: CompiledBench
    model: Model
    answerer: Answerer
    clock: Clock
    events: OnEvent
    seed: int
    budget: float
    counts: Counts = field(default_factory=dict)
    flags: Counter[tuple[str, str]] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    def hold(self, *, resumed: bool) -> RunOutcome:
        """Ask what is left; seal, unless somebody interrupts."""
        spent = self._count_earlier()
        begun = self.clock.monotonic()
        try:
            self._say_started(resumed=resumed)
            stopped = self._ask_all(lambda: spent + self.clock.monotonic() - begun >= self.budget)
            self._say_flags()
            self.model.check_unchanged()
            return self._seal("budget" if stopped else None)
        except KeyboardInterrupt:
            self.run.close()
            self.events(Stopped(self.run.id, "interrupted"))
            return RunOutcome(
                self.run.id,
                "open",
                "interrupted",
                None,
                None,
                partial=True,
                counts=self.counts,
                asked=self.asked.total(),
            )

    def _count_earlier(self) -> float:
        """Count what earlier sittings recorded; returns the seconds that they spent on calls."""
        self.counts = {key: {} for key in sorted(self.compiled.axes)}
        entries = self.run.journal.entries
        self.counts |= {key: entries.recorded(key).count_outcomes() for key in entries.axis_keys}
        return read_spent_seconds(self.run)

    def _say_started(self, *, resumed: bool) -> None:
        planned = {key: len(items) for key, items in sorted(self.compiled.items.items())}
        done = {key: sum(counts.values()) for key, counts in self.counts.items()}
        self.events(RunStarted(self.run.id, self.run.opening["model"]["id"], planned, done, resumed))

    def _ask_all(self, is_spent: Callable[[], bool]) -> bool:
        """Ask every item that has no record; whether the budget ended it."""
        batches = _Source(self.compiled, self.run.done(), is_spent)
        with closing(self.answerer.answer(self.compiled.axes, batches, seed=self.seed)) as answers:
            for answered in answers:
                for line in answered.lines:
                    record = self.run.record(answered.axis_key, line, timing=answered.timing)
                    self.asked[answered.axis_key] += 1
                    self.flags.update((answered.axis_key, flag) for flag in read_flags(line))
                    self._say_done(answered.axis_key, record)
        if batches.is_stopped:
            self.events(Stopped(self.run.id, "budget"))
        return batches.is_stopped

    def _say_done(self, axis_key: str, record: ItemRecord) -> None:
        _count(self.counts, axis_key, record["outcome"])
        counts = self.counts[axis_key]
        self.events(
            ItemDone(
                axis_key,
                record["item_id"],
                record["outcome"],
                done=sum(counts.values()),
                planned=len(self.compiled.items[axis_key]),
                errored=counts.get("errored", 0),
            )
        )

    def _say_flags(self) -> None:
        for (axis_key, flag), count in sorted(self.flags.items()):
            said = describe_call_flag(flag)
            where = f"{axis_key}: {flag} in {count} of {self.asked[axis_key]} calls"
            self.events(Note(f"{where} ({said})" if said else where))

    def _seal(self, stopped: Literal["budget"] | None) -> RunOutcome:
        sealed = seal_run(self.run, sealed_at=self.clock.stamp())
        self.events(Sealed(sealed.id, sealed.sha256, sealed.path, sealed.partial, self.counts))
        return RunOutcome(
            sealed.id,
            "sealed",
            stopped,
            sealed.sha256,
            sealed.path,
            sealed.partial,
            self.counts,
            self.asked.total(),
            missing_required=find_missing_required(self.compiled, self.counts),
        )


def find_missing_required(compiled: CompiledBench, counts: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """Required axes in which no item was answered in some language (contract-bench §6)."""
    return tuple(
        key
        for key, axis in sorted(compiled.axes.items())
        if axis["axis"] in compiled.required and not counts.get(key, {}).get("answered")
    )


def read_flags(line: RawLine) -> list[str]:
    """Findings that the model stated of one call."""
    return line.get("flags", []) if "error" not in line else []


def read_spent_seconds(run: OpenRun) -> float:
    """Seconds that the calls recorded so far took, in every sitting; calls of several workers ran side by side."""
    entries = run.journal.entries
    timed = (key for axis_key in entries.axis_keys for key in entries.sort_keys(axis_key, is_timed=True))
    timings = (parse(run.journal.read(key).head)["timing"] for key in timed)
    return sum((timing.get("seconds", 0.0) / timing.get("workers", 1.0) for timing in timings), 0.0)


def _count(counts: Counts, axis_key: str, outcome: str) -> None:
    of_axis = counts[axis_key]
    of_axis[outcome] = of_axis.get(outcome, 0) + 1
