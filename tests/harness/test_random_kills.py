"""Killed at random moments: nothing recorded is lost, asked again or sealed otherwise (contract-archive §4, §7).

``make proof`` kills 120 times.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import benchproof

HERE = Path(__file__).resolve().parent
KILLS = 120 if os.environ.get("BENCHPROOF_PROOF") == "full" else 5
COSTS = ("lost", "torn", "repeated", "findings", "other bytes")


def test_no_random_kill_costs_a_recorded_answer(tmp_path: Path) -> None:
    path = os.pathsep.join([str(HERE.parent), str(Path(benchproof.__file__).parents[1])])
    script = subprocess.run(
        [sys.executable, str(HERE / "killing.py"), str(tmp_path), str(KILLS), "7"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (script.returncode, script.stderr) == (0, "")
    total = Counter[str]()
    for line in script.stdout.splitlines():
        total.update(json.loads(line))
    assert total["kills"] >= KILLS
    assert {cost: total[cost] for cost in COSTS} == dict.fromkeys(COSTS, 0)
