"""Progress is drawn for a person at a terminal, and said in lines to everybody else."""

import os
import pty
import subprocess
import termios
from pathlib import Path

import pytest

from cli.calling import TINY, CommandLine, write_sums
from cli.processes import start

ITEMS = 400
MANY_ITEMS = 3000  # longer than the tenth of a second in which a bar is drawn once only


def read_all(terminal: int) -> str:
    """Everything that is written to a terminal until its other end is closed."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux says so where the other end is closed
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")


def test_a_terminal_shows_a_bar_with_items_speed_and_time_left(tmp_path: Path) -> None:
    bench, archive = write_sums(tmp_path / "sums", MANY_ITEMS), tmp_path / "babel-data"
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 100))
    with start("run", bench, "control:first", "--archive", archive, stderr=end) as command:
        os.close(end)
        shown = read_all(terminal)
        os.close(terminal)
        assert command.stdout is not None
        out = command.stdout.read()
    assert command.returncode == 0
    assert "control:first:" in shown
    assert f"/{MANY_ITEMS}" in shown
    assert "item/s" in shown
    assert "sums.en, 0 errored" in shown
    assert "item/s" not in out


def test_a_pipe_gets_the_beginning_in_a_line_and_no_bar(tmp_path: Path) -> None:
    bench, archive = write_sums(tmp_path / "sums", ITEMS), tmp_path / "babel-data"
    with start("run", bench, "control:first", "--archive", archive, stderr=subprocess.PIPE) as command:
        _out, err = command.communicate(timeout=60)
    assert command.returncode == 0
    assert err == f"control:first: asking {ITEMS} items\nnext: benchproof table sums --archive {archive}\n"


def test_a_terminal_shows_how_much_was_verified(tmp_path: Path) -> None:
    bench, archive = write_sums(tmp_path / "sums", ITEMS), tmp_path / "babel-data"
    with start("run", bench, "control:first", "--archive", archive, stderr=subprocess.PIPE) as command:
        command.communicate(timeout=60)
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 100))
    with start("verify", "--archive", archive, stderr=end) as command:
        os.close(end)
        shown = read_all(terminal)
        os.close(terminal)
    assert command.returncode == 0
    assert "verifying:" in shown
    assert "B/s" in shown


def show(*words: object, columns: int) -> list[str]:
    """The lines that a command prints on a terminal of so many columns."""
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (24, columns))
    with start(*words, stdout=end, stderr=subprocess.DEVNULL) as command:
        os.close(end)
        shown = read_all(terminal)
        os.close(terminal)
    assert command.returncode == 0
    return shown.replace("\r", "").splitlines()


@pytest.mark.parametrize(
    "words", [["list"], ["score", "@latest"], ["run", TINY, "control:echo"]], ids=lambda row: row[0]
)
def test_what_is_printed_of_runs_fits_a_terminal(words: tuple[object, ...], filled: CommandLine) -> None:
    lines = show(*words, "--archive", filled.archive, columns=80)
    assert len(lines) > 3
    assert [line for line in lines if len(line) > 80 and str(filled.archive) not in line] == []


def test_the_list_of_rules_fits_a_terminal() -> None:
    assert max(map(len, show("rules", columns=80))) <= 80


def test_the_place_of_a_run_stands_alone_where_its_digest_does_not_fit_beside_it(filled: CommandLine) -> None:
    lines = show("run", TINY, "control:echo", "--archive", filled.archive, columns=80)
    place = next(number for number, line in enumerate(lines) if line.startswith("  sealed   "))
    assert lines[place].endswith(next(filled.archive.glob("runs/tiny.control-echo.*")).name)
    assert lines[place + 1].startswith("           manifest ")


def test_where_metrics_do_not_fit_beside_the_numbers_each_is_named_once(filled: CommandLine) -> None:
    lines = show("score", "@latest", "--archive", filled.archive, columns=80)
    assert lines[-2:] == ["exact-match.squad-v1.1: facts.en, facts.ms", "choice-accuracy.byte: reading.en, reading.ms"]
