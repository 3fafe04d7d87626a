from dataclasses import dataclass

import pytest

from benchproof.cli.pace import show_rate
from benchproof.cli.progress import AskedBar, BytesBar, RunProgress
from benchproof.harness.events import ItemDone, RunStarted

MINUTE = 60.0


@dataclass
class FakeClock:
    """A steady clock that goes when it is told to."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


def start_run(clock: FakeClock, *, done: int = 0, resumed: bool = False) -> RunProgress:
    progress = RunProgress("smollm2", live=False, monotonic=clock)
    progress(RunStarted("run-1", "smollm2", {"reading.en": 210}, {"reading.en": done}, resumed))
    return progress


def do_item(progress: RunProgress, done: int, errored: int = 0) -> None:
    progress(ItemDone("reading.en", f"q{done}", "answered", done, 210, errored))


def read_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()


def test_a_run_says_how_far_it_is_how_fast_it_goes_and_how_long_it_will_take(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = FakeClock()
    progress = start_run(clock)
    for done in range(1, 31):
        clock.seconds += 2.0
        do_item(progress, done, errored=done // 30)
    assert read_lines(capsys) == [
        "smollm2: asking 210 items",
        "smollm2: 15 of 210 items, 0.5 items/s, about 6 min left; reading.en, 0 errored",
        "smollm2: 30 of 210 items, 0.5 items/s, about 6 min left; reading.en, 1 errored",
    ]


@pytest.mark.parametrize(("pause", "end"), [(0.1, []), (0.2, ["smollm2: 210 of 210 items after 42 s"])])
def test_work_that_lasts_says_its_end_once(pause: float, end: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    progress = start_run(clock)
    for done in range(1, 211):
        clock.seconds += pause
        do_item(progress, done)
    progress.close()
    progress.close()
    said = [line for line in read_lines(capsys) if "left" not in line]
    assert said == ["smollm2: asking 210 items", *end]


def test_what_an_earlier_sitting_asked_counts_as_done_and_not_as_speed(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    progress = start_run(clock, done=200, resumed=True)
    clock.seconds += MINUTE
    do_item(progress, 201)
    assert read_lines(capsys) == [
        "note: resumed run-1: 200 of 210 items stand",
        "smollm2: asking 10 items",
        "smollm2: 201 of 210 items, 0.017 items/s, about 9 min left; reading.en, 0 errored",
    ]


def test_a_run_that_asked_nothing_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    RunProgress("smollm2", live=False, monotonic=FakeClock()).close()
    assert read_lines(capsys) == []


def test_asking_again_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    bar = AskedBar("asking again", monotonic=clock)
    bar(1, 20)
    clock.seconds += MINUTE
    bar(2, 20)
    assert read_lines(capsys) == ["asking again: 2 of 20 items, 0.033 items/s, about 9 min left"]


def test_verifying_says_how_much_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    bar = BytesBar("verifying", monotonic=clock)
    bar("runs/a/raw", 2**30)
    clock.seconds += MINUTE
    bar("runs/b/raw", 2**30)
    assert read_lines(capsys) == ["verifying: 2,048 MiB compared; runs/b/raw"]


@pytest.mark.parametrize(
    ("count", "seconds", "said"),
    [(0, 9.0, "nothing asked"), (5, 300.0, "0.017 items/s"), (9, 4.0, "2.2 items/s"), (3000, 2.0, "1,500 items/s")],
)
def test_a_speed_has_the_digits_that_say_something(count: int, seconds: float, said: str) -> None:
    assert show_rate(count, seconds) == said
