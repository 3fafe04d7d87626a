"""A process that is killed outright: nothing that was answered is asked again (contract-archive §7)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import benchproof
from benchproof.archive import list_open_runs, load_run
from benchproof.harness import compile_bench
from harness.fakes import Bench, FakeModel

HERE = Path(__file__).resolve().parent
TINY = HERE / "tiny"
ITEMS = 12
SCRIPT = """
import os, signal, sys
from pathlib import Path
from benchproof.harness import compile_bench
from harness.fakes import Bench, FakeModel

root, asked, fatal = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def note(number, context):
    if number == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    with asked.open("a") as stream:
        stream.write(f"{number}\\n")

Bench(root).run(compile_bench(Path(sys.argv[4])), FakeModel(before=note))
"""


@pytest.mark.parametrize("call", [0, 1, 5, ITEMS - 1])
def test_a_run_killed_at_any_item_resumes_without_repeating_a_finished_call(tmp_path: Path, call: int) -> None:
    root, asked = tmp_path / "babel-data", tmp_path / "asked.txt"
    asked.touch()
    path = os.pathsep.join([str(Path(benchproof.__file__).parents[1]), str(HERE.parent)])
    command = [sys.executable, "-c", SCRIPT, str(root), str(asked), str(call), str(TINY)]
    killed = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(asked.read_text().splitlines()) == call
    bench, model = Bench(root), FakeModel()
    assert [run.done for run in list_open_runs(root)] == [call]
    resumed = bench.run(compile_bench(TINY), model, resume=True)
    assert len(model.calls) == ITEMS - call
    whole = Bench(tmp_path / "whole")
    expected = load_run(whole.root, whole.run(compile_bench(TINY), FakeModel()).run_id)
    run = load_run(root, resumed.run_id)
    for key in expected.axis_keys:
        for path_of_file in (f"raw/{key}.ndjson", f"records/{key}.ndjson"):
            assert run.read(path_of_file) == expected.read(path_of_file)
