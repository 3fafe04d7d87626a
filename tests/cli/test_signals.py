"""A run that is stopped keeps its evidence: resumed, it seals the bytes of a run that was not stopped (issue 2)."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchproof.archive import list_open_runs
from benchproof.cli import main
from benchproof.harness import open_harness_model
from benchproof.models import Model
from cli.calling import TINY, CommandLine, digest_tree, read_evidence, write_sums
from cli.processes import CODE, SOURCE, journal_bytes, start, wait_until

ITEMS = 2000
SOME = 20_000  # bytes of the journal


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sums(tmp_path_factory.mktemp("sums") / "sums", ITEMS)


@pytest.fixture(scope="module")
def whole(sums: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Raw and record lines of a run that nothing stopped."""
    archive = tmp_path_factory.mktemp("whole") / "babel-data"
    assert main(["run", str(sums), "control:first", "--json", "--archive", str(archive)]) == 0
    [run] = (archive / "runs").iterdir()
    return read_evidence(run)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_stopped_run_resumes_to_the_bytes_of_one_that_was_not(
    line: CommandLine, sums: Path, whole: dict[str, bytes], number: signal.Signals, code: int
) -> None:
    with start("run", sums, "control:first", "--archive", line.archive) as stopped:
        wait_until(lambda: journal_bytes(line.archive) > SOME)
        os.kill(stopped.pid, number)
        out, err = stopped.communicate(timeout=30)
    assert stopped.returncode == code
    assert "Traceback" not in err
    [left] = list_open_runs(line.archive)
    assert 0 < left.done < ITEMS
    assert list((line.archive / "runs").iterdir()) == []
    if code == 130:
        assert f"open     {left.id}: every finished answer is kept; --resume goes on" in out
    resumed = line.run(sums, "control:first", "--resume")
    assert resumed["run"] == left.id
    assert resumed["asked"] == ITEMS - left.done
    assert resumed["counts"] == {"sums.en": {"answered": ITEMS}}
    assert line.evidence(resumed["run"]) == whole
    assert resumed["proof"] == "recomputed"


def test_a_second_process_on_an_open_run_is_refused_and_the_first_goes_on(line: CommandLine, sums: Path) -> None:
    with start("run", sums, "control:first", "--archive", line.archive) as first:
        wait_until(lambda: journal_bytes(line.archive) > SOME)
        os.kill(first.pid, signal.SIGSTOP)
        try:
            second = line("run", sums, "control:first", "--resume")
        finally:
            os.kill(first.pid, signal.SIGCONT)
        _out, err = first.communicate(timeout=60)
    assert second.code == 2
    assert f"in use by process {first.pid}" in second.err
    assert (first.returncode, "Traceback" in err) == (0, False)
    assert list_open_runs(line.archive) == []


def test_a_budget_that_ends_in_between_seals_what_was_asked(line: CommandLine, sums: Path) -> None:
    answer = line("run", sums, "control:first", "--budget", "0.05", "--json")
    [made] = answer.read_json()
    assert (answer.code, made["partial"], made["stopped"]) == (3, True, "budget")
    assert made["asked"] < ITEMS
    assert line("verify").code == 0
    assert "partial" in line("table", "sums").out


def test_a_reader_that_goes_away_is_no_answer_and_no_complaint(filled: CommandLine) -> None:
    before = digest_tree(filled.archive / "runs")
    with start("run", TINY, "control:echo", "--plan", "--archive", filled.archive) as command:
        assert command.stdout is not None
        command.stdout.close()
        assert command.stderr is not None
        err = command.stderr.read()
        assert command.wait(timeout=30) == 4
    assert err == ""
    assert digest_tree(filled.archive / "runs") == before


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_caller_closed_costs_nothing_and_no_file_takes_its_place(
    closed: str, line: CommandLine, whole: dict[str, bytes], sums: Path
) -> None:
    words = [sys.executable, "-c", CODE, "run", str(sums), "control:first", "--archive", str(line.archive)]
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "PYTHONPATH": SOURCE}
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    [run] = (line.archive / "runs").iterdir()
    assert read_evidence(run) == whole


def test_a_stop_between_two_models_still_says_what_the_first_did(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_once(spec: str, **options: Any) -> Model:
        opened.append(spec)
        if len(opened) > 1:
            raise KeyboardInterrupt
        return open_harness_model(spec, **options)

    monkeypatch.setattr("benchproof.harness.open_harness_model", open_once)
    answer = line("run", TINY, "control:first", "control:longest", "control:echo", "--json")
    assert answer.code == 130
    sealed, stopped = answer.read_json()
    assert (sealed["status"], stopped["status"]) == ("sealed", "failed")
    assert "control:longest: interrupted while nothing was asked" in answer.err
    assert "1 run not begun" in answer.err
