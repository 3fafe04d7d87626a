"""Live progress of a run, on stderr and only on a terminal; notes are said wherever they go."""

import sys
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from benchproof.cli.output import say
from benchproof.cli.plain_stream import obedient_stderr, spell_obeyed

if TYPE_CHECKING:
    from tqdm import tqdm

    from benchproof.harness import Event, ItemDone, RunStarted

LOST = ("errored", "truncated", "excluded")


class RunProgress:
    """Listens to the events of one run: a bar with items a second and time left, and one line of counts at the end."""

    def __init__(self, label: str, *, live: bool | None = None) -> None:
        self._label = label
        self._live = sys.stderr.isatty() if live is None else live
        self._bar: tqdm[Any] | None = None
        self._done: dict[str, int] = {}
        self._planned: dict[str, int] = {}
        self._errored: dict[str, int] = {}
        self._asked = 0
        self._begun = monotonic()

    def __call__(self, event: "Event") -> None:
        """Take one event."""
        from benchproof.harness import ItemDone, Note, RunStarted

        if isinstance(event, RunStarted):
            self._start(event)
        elif isinstance(event, ItemDone):
            self._count(event)
        elif isinstance(event, Note):
            self._note(event.text)
        else:
            self.close()

    def _start(self, event: "RunStarted") -> None:
        self._planned, self._done = dict(event.planned), dict(event.done)
        self._begun = monotonic()
        if event.resumed:
            done, planned = sum(self._done.values()), sum(self._planned.values())
            self._note(f"resumed {event.run_id}: {done} of {planned} items stand")
        if self._live:
            from tqdm import tqdm

            self._bar = tqdm(
                total=sum(self._planned.values()),
                initial=sum(self._done.values()),
                desc=spell_obeyed(self._label),
                unit="item",
                file=obedient_stderr(),
                dynamic_ncols=True,
                leave=False,
            )

    def _count(self, event: "ItemDone") -> None:
        self._done[event.axis_key] = event.done
        self._errored[event.axis_key] = event.errored
        self._asked += 1
        if self._bar is not None:
            self._bar.set_postfix_str(f"{event.axis_key}, {sum(self._errored.values())} errored", refresh=False)
            self._bar.update()

    def _note(self, text: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        say(f"note: {text}")

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    @property
    def planned(self) -> int:
        """Items of the run, in every axis and language."""
        return sum(self._planned.values())

    def summary(self, counts: Mapping[str, Mapping[str, int]]) -> str:
        """Items by axis, speed, and how many were not answered, as one line. ``counts``: outcomes by axis key."""
        seconds = monotonic() - self._begun
        done = {key: sum(of_axis.values()) for key, of_axis in counts.items()}
        parts = " · ".join(f"{key} {done.get(key, 0)}/{planned}" for key, planned in sorted(self._planned.items()))
        speed = f"{self._asked / seconds:.1f} items/s" if self._asked and seconds > 0 else "nothing asked"
        return f"{parts}     {speed}  {_count_lost(counts)}"


class AskedBar:
    """A bar of items asked so far, for work that is no run; only on a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: tqdm[Any] | None = None

    def __call__(self, done: int, planned: int) -> None:
        """Take how many of how many are done."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(
                total=planned,
                desc=spell_obeyed(self._label),
                unit="item",
                file=obedient_stderr(),
                dynamic_ncols=True,
                leave=False,
            )
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()


class BytesBar:
    """A bar of bytes compared so far, for verification; only on a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: tqdm[Any] | None = None

    def __call__(self, path: str, count: int) -> None:
        """Take how many more bytes of a file were compared."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(
                desc=self._label,
                unit="B",
                unit_scale=True,
                unit_divisor=1024,
                file=obedient_stderr(),
                dynamic_ncols=True,
                leave=False,
            )
        self._bar.set_postfix_str(spell_obeyed(path), refresh=False)
        self._bar.update(count)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()


def _count_lost(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Items without an answer, by outcome; errored ones are stated even where there are none."""
    totals = {lost: sum(of_axis.get(lost, 0) for of_axis in counts.values()) for lost in LOST}
    words = [f"{count} {lost}" for lost, count in totals.items() if count or lost == "errored"]
    return ", ".join(words)
