"""Progress is drawn for a person at a terminal, and said in lines to everybody else."""

import os
import pty
import subprocess
import termios
from pathlib import Path

from cli.calling import write_sums
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
