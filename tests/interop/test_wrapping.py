"""A harness as a child: its logs are sealed, whatever became of it, and its exit is never hidden."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchproof.archive import init_archive, list_runs, load_run
from benchproof.interop import Wrapped, find_log_folders, wrap_command
from benchproof.scores import compute_score_sheet
from interop.inspect_quiz import PEERS as PYTHON_OF_PEERS
from interop.inspect_quiz import QUIZ, needs_inspect
from interop.lm_eval_logs import LmEvalLog

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = Path(os.environ.get("BENCHPROOF_PEERS", ROOT / ".venv-peers")) / "bin"
NOW = "2026-11-30T21:28:05Z"

WRITE = f"""
import sys
sys.path.insert(0, {str(HERE.parent)!r})
from pathlib import Path
from interop.lm_eval_logs import LmEvalLog
LmEvalLog().write(Path("out"))
print("table of numbers")
print("a warning", file=sys.stderr)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    init_archive(tmp_path / "archive")
    return tmp_path / "archive"


def wrap(root: Path, *command: str, folders: tuple[str, ...] = ("out",)) -> Wrapped:
    transcripts = root.parent / "transcripts"
    transcripts.mkdir(exist_ok=True)
    return wrap_command(
        root,
        command,
        folders=[root.parent / folder for folder in folders],
        transcripts=transcripts,
        clock=lambda: NOW,
        version="0.1.0",
        variables={"PYTHONHASHSEED": "0"},
    )


def test_what_the_command_wrote_is_imported_with_how_it_ran(root: Path) -> None:
    wrapped = wrap(root, sys.executable, "-c", WRITE)
    assert wrapped.report is not None
    (log,) = wrapped.report.logs
    origin = load_run(root, log.run_id).manifest["imported_from"]
    assert origin["wrapped"] == {
        "command": [sys.executable, "-c", WRITE],
        "exit_code": 0,
        "started_at": NOW,
        "ended_at": NOW,
        "variables": {"PYTHONHASHSEED": "0"},
    }


def test_logs_that_stood_there_before_are_not_the_commands(root: Path) -> None:
    LmEvalLog().write(root.parent / "out" / "older")
    wrapped = wrap(root, sys.executable, "-c", "print('nothing written')")
    assert wrapped.report is None
    assert [run.manifest["axes"] for run in list_runs(root)] == [[]]


def test_a_command_that_fails_after_writing_is_imported_and_its_exit_told(root: Path) -> None:
    wrapped = wrap(root, sys.executable, "-c", WRITE + "sys.exit(7)")
    assert wrapped.child.code == 7
    assert wrapped.report is not None
    assert len(wrapped.report.logs) == 1


def test_a_command_that_writes_no_log_leaves_what_it_printed(root: Path) -> None:
    wrapped = wrap(root, sys.executable, "-c", "import sys; print('hello'); sys.exit('it broke')")
    assert wrapped.transcript is not None
    run = load_run(root, wrapped.transcript.id)
    assert (run.read("raw/stdout.log"), run.read("raw/stderr.log")) == (b"hello\n", b"it broke\n")
    assert run.manifest["environment"]["wrapped"]["exit_code"] == 1


def test_a_command_that_cannot_be_started_is_a_wrong_call(root: Path) -> None:
    from benchproof.interop import InteropError

    with pytest.raises(InteropError, match="cannot be started: No such file"):
        wrap(root, "no-such-harness")
    assert list_runs(root) == []


def test_killed_halfway_what_was_written_is_sealed_as_partial(tmp_path: Path) -> None:
    script = WRITE + (
        "path = next(Path('out').rglob('samples_*'))\n"
        "path.write_bytes(path.read_bytes()[:-300])\n"
        "Path('ready').touch()\n"
        "import time\n"
        "time.sleep(600)\n"
    )
    call = "import sys; from benchproof.cli import main; sys.exit(main())"
    words = ["wrap", "--logs", "out", "--archive", "archive", "--json", "--", sys.executable, "-c", script]
    child = subprocess.Popen([sys.executable, "-c", call, *words], cwd=tmp_path, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (tmp_path / "ready").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGTERM)
    out, _ = child.communicate(timeout=60)
    told = json.loads(out)
    assert (told["signal"], child.returncode) == (signal.SIGTERM, 128 + signal.SIGTERM)
    (log,) = told["imported"]["logs"]
    assert (log["partial"], log["items"]) == (True, 3)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("lm_eval", "--output_path", "out"), ["out"]),
        (("lm_eval", "--output_path=out/x.json"), ["out"]),
        (("inspect", "eval", "task.py", "--log-dir", "here"), ["here"]),
        (("inspect", "eval", "task.py"), ["logs"]),
        (("python", "other.py"), []),
    ],
)
def test_log_folders_are_told_from_the_command(command: tuple[str, ...], expected: list[str]) -> None:
    assert find_log_folders(command, {}) == [Path(one) for one in expected]


@pytest.mark.skipif(not (PEERS / "lm_eval").exists(), reason=f"no lm-eval in {PEERS} (make peers)")
def test_a_real_run_of_lm_eval_is_sealed_and_every_number_computed_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root.parent
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(folder / "hf"))
    rows = [
        {"q": f"Which is number {index}?", "choices": ["one", "two", "three", "四つ"], "gold": index % 4}
        for index in range(12)
    ]
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (folder / "tasks").mkdir()
    (folder / "tasks" / "numbers.yaml").write_text(
        "task: numbers\ndataset_path: json\ndataset_kwargs:\n  data_files:\n"
        f"    test: {folder}/data.jsonl\ntest_split: test\noutput_type: multiple_choice\n"
        'doc_to_text: "Question: {{q}}\\nAnswer:"\ndoc_to_choice: "{{choices}}"\ndoc_to_target: gold\n'
        "metric_list:\n  - metric: acc\n  - metric: acc_norm\nmetadata:\n  version: 1.0\n",
        "utf-8",
    )
    options = ("--model", "dummy", "--tasks", "numbers", "--include_path", "tasks", "--output_path", "out")
    wrapped = wrap(root, str(PEERS / "lm_eval"), *options, "--log_samples")
    assert wrapped.child.code == 0
    assert wrapped.report is not None
    (log,) = wrapped.report.logs
    assert (log.harness.split()[0], log.items, log.partial) == ("lm-eval", 12, False)
    assert {finding.code for finding in log.findings} == {"I018"}


@needs_inspect
@pytest.mark.parametrize(
    ("ending", "code", "partial", "items", "scored"),
    [("success", 0, False, 4, 4), ("error", 0, False, 4, 2), ("kill", -signal.SIGKILL, True, 2, 2)],
)
def test_a_real_run_of_inspect_is_sealed_however_it_ends(
    ending: str, code: int, partial: bool, items: int, scored: int, root: Path
) -> None:
    (root.parent / "quiz.py").write_text(QUIZ, "utf-8")
    wrapped = wrap(root, str(PYTHON_OF_PEERS), "quiz.py", ending, folders=("logs",))
    assert wrapped.report is not None
    (log,) = wrapped.report.logs
    assert (wrapped.child.code, log.harness.split()[0], log.partial, log.items) == (code, "inspect", partial, items)
    (number,) = compute_score_sheet(load_run(root, log.run_id))["numbers"]
    assert (number["numerator"], number["denominator"]) == (scored - 1, scored)
