"""Killed at any point: the archive is as before, or has the whole new entry (contract-archive §4, §7)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import benchproof
from archive import crashing
from archive.samples import RUN_ID, evidence_of, seal_tiny
from benchproof.archive import resume_run, verify_run

ITEMS = 3 * crashing.COUNT


def run_script(*arguments: object) -> subprocess.CompletedProcess[str]:
    here = Path(__file__).resolve().parent.parent
    path = os.pathsep.join([str(here), str(Path(benchproof.__file__).parent.parent)])
    return subprocess.run(
        [sys.executable, str(here / "archive/crashing.py"), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("where", ["whole", "half"])
def test_a_run_killed_after_every_entry_repeats_no_call_and_seals_the_same_bytes(
    root: Path, tmp_path: Path, where: str
) -> None:
    log = tmp_path / "asked.txt"
    deaths = 0
    while (done := run_script("record", root, log, where, 1)).returncode == -signal.SIGKILL:
        deaths += 1
        assert deaths <= ITEMS
    assert (done.returncode, done.stderr) == (0, "")
    asked = log.read_text().split("\n")[:-1]
    # A call that died within its entry never finished: it is asked once more, and no other.
    assert deaths == (ITEMS if where == "whole" else ITEMS - 1)
    assert len(asked) == len(set(asked)) + (0 if where == "whole" else deaths)
    whole = seal_tiny(root.parent / "whole", crashing.COUNT)
    assert evidence_of(root / "runs" / RUN_ID) == evidence_of(whole.path)
    assert verify_run(root, RUN_ID).findings == ()


def test_a_torn_entry_is_named_when_the_run_is_resumed(root: Path, tmp_path: Path) -> None:
    assert run_script("record", root, tmp_path / "asked.txt", "half", 2).returncode == -signal.SIGKILL
    with resume_run(root, RUN_ID) as run:
        assert len(run.done()) == 2
        assert [finding.code for finding in run.findings] == ["A046"]


def test_killed_at_every_point_of_sealing_there_is_the_whole_run_or_none(root: Path) -> None:
    script = run_script("seal", root)
    assert (script.returncode, script.stderr) == (0, "")
    reports = [json.loads(line) for line in script.stdout.splitlines()]
    whole = {path: data.decode() for path, data in evidence_of(seal_tiny(root / "whole", crashing.COUNT).path).items()}
    assert len(reports) > 60
    assert [report["died"] for report in reports] == [True] * (len(reports) - 1) + [False]
    assert all(report["findings"] == [] for report in reports)
    assert all(report["evidence"] == whole for report in reports)
    sealed = [report["sealed"] for report in reports]
    assert sealed == sorted(sealed)
    assert sum(sealed) > 3
    # What a death after the publication leaves open says that it is sealed.
    assert all(is_sealed for report in reports if report["sealed"] for _, is_sealed in report["open"])
    assert reports[-1]["open"] == []
