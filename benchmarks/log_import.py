"""P15: import a log of 100,000 samples: keep, read, seal, compute again. Whole processes, wall time and memory."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.comparison import Comparison, Goal, find_growth
from benchmarks.made_logs import write_log

SIZES = (10_000, 100_000)
SECONDS = Goal("ours", 120.0)
MEGABYTES = Goal("ours", 1500.0)

_IMPORT = "import sys; from benchproof.cli import main; sys.exit(main())"
_READ = "import json, sys\nfor line in open(sys.argv[1], encoding='utf-8'): json.loads(line)"


class Cost(NamedTuple):
    """Wall seconds and peak resident megabytes of one process."""

    seconds: float
    megabytes: float


def measure(rounds: int) -> list[Comparison]:
    """One import at each size: it lasts too long for interleaved rounds, and the goal is far above its noise."""
    del rounds
    ours: list[Cost] = []
    limits: list[Cost] = []
    sizes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for items in SIZES:
            folder = Path(name) / str(items)
            size = write_log(folder, items)
            sizes.append(f"{items:,} samples, {size / 1e6:.0f} MB")
            (samples,) = folder.glob("samples_*")
            limits.append(_run([sys.executable, "-c", _READ, str(samples)]))
            archive = Path(name) / f"archive-{items}"
            ours.append(
                _run([sys.executable, "-c", _IMPORT, "import", str(folder), "--archive", str(archive), "--json"])
            )
    return [
        *_compare("s", [cost.seconds for cost in ours], [cost.seconds for cost in limits], sizes, SECONDS),
        *_compare("MB", [cost.megabytes for cost in ours], [cost.megabytes for cost in limits], sizes, MEGABYTES),
    ]


def _compare(unit: str, ours: list[float], limits: list[float], sizes: list[str], goal: Goal) -> list[Comparison]:
    growth = find_growth(ours[0], ours[1], times=SIZES[1] / SIZES[0])
    return [
        Comparison(
            id="P15",
            work="import an lm-eval log",
            size=sizes[at],
            unit=unit,
            ours=ours[at],
            limit=limits[at],
            limit_name="json.loads of each line",
            goal=goal,
            growth=growth if at == 0 else None,
            note="one process each, wall time: not interleaved",
        )
        for at in range(len(sizes))
    ]


def _run(command: list[str]) -> Cost:
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    printed = process.stdout.read()
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or (printed and not json.loads(printed)["logs"]):
        raise RuntimeError(f"the import ended with exit code {process.returncode}")
    return Cost(time.monotonic() - begun, usage.ru_maxrss / 1024)
