"""Progress of long work, on stderr: a bar on a terminal, else a line at most every half a minute."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from benchproof.cli.output import count_of, say
from benchproof.cli.pace import EVERY, Pace, describe_pace, show_rate
from benchproof.cli.plain_stream import obedient_stderr, spell_obeyed

if TYPE_CHECKING:
    from tqdm import tqdm

    from benchproof.harness import Event, ItemDone, RunStarted

LOST = ("errored", "truncated", "excluded")


class RunProgress:
    """Listens to the events of one run: items a second, time left, and one line of counts at the end.

    ``live`` draws a bar; without it the beginning, now and then how far it is, and the end of what lasted are said in
    lines.
    """

    def __init__(
        self, label: str, *, live: bool | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._label = label
        self._live = sys.stderr.isatty() if live is None else live
        self._bar: tqdm[Any] | None = None
        self._done: dict[str, int] = {}
        self._planned: dict[str, int] = {}
        self._errored: dict[str, int] = {}
        self._asked = 0
        self._pace = Pace(monotonic)
        self._is_going_on = False

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
        self._pace.begin()
        self._is_going_on = True
        done = sum(self._done.values())
        if event.resumed:
            self._note(f"resumed {event.run_id}: {done} of {self.planned} items stand")
        if self._live:
            self._bar = _draw_bar(self._label, unit="item", total=self.planned, initial=done)
        else:
            say(f"{self._label}: asking {count_of(self.planned - done, 'item')}")

    def _count(self, event: "ItemDone") -> None:
        self._done[event.axis_key] = event.done
        self._errored[event.axis_key] = event.errored
        self._asked += 1
        if self._bar is not None:
            self._bar.set_postfix_str(self._describe_place(event), refresh=False)
            self._bar.update()
        elif self._pace.is_due():
            pace = describe_pace(sum(self._done.values()), self.planned, self._asked, self._pace.seconds)
            say(f"{self._label}: {pace}; {self._describe_place(event)}")

    def _describe_place(self, event: "ItemDone") -> str:
        return f"{event.axis_key}, {sum(self._errored.values())} errored"

    def _note(self, text: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        say(f"note: {text}")

    def close(self) -> None:
        """Take the bar away, or say that no more is asked; the result of quick work says so itself."""
        from benchproof.harness import describe_seconds

        if self._bar is not None:
            self._bar.close()
            self._bar = None
        elif self._is_going_on and self._pace.seconds >= EVERY:
            done = sum(self._done.values())
            say(f"{self._label}: {done:,} of {self.planned:,} items after {describe_seconds(self._pace.seconds)}")
        self._is_going_on = False

    @property
    def planned(self) -> int:
        """Items of the run, in every axis and language."""
        return sum(self._planned.values())

    def summarize(self, name: str, counts: Mapping[str, Mapping[str, int]], *, width: int | None = None) -> list[str]:
        """Items by axis, speed, and how many were not answered, on one line or as many as they need.

        ``counts``: outcomes by axis key. ``width`` is that of the terminal.
        """
        from benchproof.results import wrap_text

        done = {key: sum(of_axis.values()) for key, of_axis in counts.items()}
        parts = " · ".join(f"{key} {done.get(key, 0)}/{planned}" for key, planned in sorted(self._planned.items()))
        speed = f"{show_rate(self._asked, self._pace.seconds)}  {_count_lost(counts)}"
        whole = wrap_text(f"{name}{parts}     {speed}", width)
        if len(whole) == 1:
            return whole
        margin = " " * len(name)
        return [*wrap_text(f"{name}{parts}", width, indent=len(name), at_entries=True), f"{margin}{speed}"]


class AskedBar:
    """Items asked so far, for work that is no run."""

    def __init__(self, label: str, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._label = label
        self._bar: tqdm[Any] | None = None
        self._pace = Pace(monotonic)

    def __call__(self, done: int, planned: int) -> None:
        """Take how many of how many are done."""
        if sys.stderr.isatty():
            if self._bar is None:
                self._bar = _draw_bar(self._label, unit="item", total=planned)
            self._bar.update(done - self._bar.n)
        elif self._pace.is_due():
            say(f"{self._label}: {describe_pace(done, planned, done, self._pace.seconds)}")

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()


class BytesBar:
    """Bytes compared so far, for verification."""

    def __init__(self, label: str, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._label = label
        self._bar: tqdm[Any] | None = None
        self._pace = Pace(monotonic)
        self._compared = 0

    def __call__(self, path: str, count: int) -> None:
        """Take how many more bytes of a file were compared."""
        self._compared += count
        if sys.stderr.isatty():
            if self._bar is None:
                self._bar = _draw_bar(self._label, unit="B", unit_scale=True, unit_divisor=1024)
            self._bar.set_postfix_str(spell_obeyed(path), refresh=False)
            self._bar.update(count)
        elif self._pace.is_due():
            say(f"{self._label}: {self._compared / 2**20:,.0f} MiB compared; {path}")

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()


def _draw_bar(label: str, **options: Any) -> "tqdm[Any]":
    """A bar that leaves nothing behind; its label may quote strangers."""
    from tqdm import tqdm

    return tqdm(desc=spell_obeyed(label), file=obedient_stderr(), dynamic_ncols=True, leave=False, **options)


def _count_lost(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Items without an answer, by outcome; errored ones are stated even where there are none."""
    totals = {lost: sum(of_axis.get(lost, 0) for of_axis in counts.values()) for lost in LOST}
    words = [f"{count} {lost}" for lost, count in totals.items() if count or lost == "errored"]
    return ", ".join(words)
