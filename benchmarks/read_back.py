"""P13: what it costs to look at a long run: ``show`` of the run, and of one of its items. Whole processes, Linux.

The run is made first, by a control; that is no part of it. CPU seconds are user and system as the system counts
them, memory is the most that was resident (``VmHWM``). The limit of ``show --item`` is SHA-256 over the files that it
compares: no reader that believes nothing unread can do less. Beside it every item and call is read back in this
process, as Inspect reads a log of the same questions; its log holds no digests to compare.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from benchmarks.comparison import Comparison, Goal, find_growth
from benchmarks.framework_cost import PROMPT, Peer, make_lines
from benchmarks.made_bench import AXIS_KEY, DATA, seal_made_bench, write_bench
from benchmarks.peers.worker import name_peer
from benchmarks.rounds import count_cpu, take_rounds
from benchproof.frames import Kind, read_batches
from benchproof.models import open_model

CPU_GOAL = Goal("ours", 2.0)
MEMORY_GOAL = Goal("ours", 500.0)
ITEMS = 20_000
"""The smaller run; the goal is for ten times as many."""

READ: tuple[Kind, ...] = ("items", "calls")
WHOLE_ITEMS = 1000
"""Items of the run that is read whole: Inspect takes long to write more."""

# Measured inside: a process that has only just been started is counted with the memory of the one that started it.
_CODE = """
import sys
from pathlib import Path
from benchproof.cli import main
target, *words = sys.argv[1:]
code = main(words)
status = Path("/proc/self/status")
Path(target).write_text(status.read_text() if status.exists() else "")
sys.exit(code)
"""
_DIGEST = """
import hashlib, sys
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        hashlib.file_digest(file, "sha256")
"""


class Look(NamedTuple):
    """One way to look at a run: words of the command line, and the limit that it is held against."""

    work: str
    words: list[str]
    limit: list[str]
    limit_name: str


def measure(rounds: int, *, items: int = ITEMS) -> list[Comparison]:
    """Both looks at a run of ``items`` and at one of ten times as many."""
    lines = [_measure_whole(rounds, min(items, WHOLE_ITEMS))]
    with tempfile.TemporaryDirectory() as folder:
        looks = [list_looks(Path(folder) / str(count), count) for count in (items, 10 * items)]
        for few, many in zip(*looks, strict=True):
            own, more = (_measure_look(look, Path(folder) / "status", rounds) for look in (few, many))
            growth = find_growth(own["cpu"], more["cpu"])
            lines += [
                _compare(few.work, items, own, few.limit_name),
                _compare(many.work, 10 * items, more, many.limit_name, growth),
            ]
            lines += [_compare_memory(many.work, 10 * items, more["memory"])] if more["memory"] else []
    return lines


def _measure_whole(rounds: int, count: int) -> Comparison:
    """Items and calls of a run as rows, beside Inspect's reading of its log."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        bench = write_bench(Path(folder) / "bench", PROMPT, make_lines(count))
        archive = Path(folder) / "babel-data"
        run = seal_made_bench(archive, bench, open_model("control:first", cache_dir=Path(folder))).run_id
        read = count_cpu(lambda: [sum(map(len, read_batches(kind, archive, run))) for kind in READ])
        read()
        peer = Peer("inspect_read", "inspect-ai", stack)
        own = take_rounds({"ours": lambda: read() / count * 1e6, **peer.measure(bench / DATA)}, rounds)
    return Comparison(
        id="P13",
        work="every item and call of a run, read",
        size=f"{count:,} items",
        unit="µs CPU an item",
        ours=own["ours"],
        peer=own.get(peer.package),
        peer_name=f"{name_peer(peer.package)}, read_eval_log",
        note=peer.absence,
    )


def list_looks(folder: Path, count: int) -> list[Look]:
    """A run of so many items is made below ``folder``; how to look at it."""
    bench = write_bench(folder / "bench", PROMPT, make_lines(count))
    archive = folder / "babel-data"
    run = seal_made_bench(archive, bench, open_model("control:first", cache_dir=folder)).run_id
    end = ["--archive", str(archive)]
    names = (f"attachments/items/{AXIS_KEY}.ndjson", f"records/{AXIS_KEY}.ndjson", f"raw/{AXIS_KEY}.ndjson")
    files = [str(archive / "runs" / run / name) for name in names]
    item = f"en/item-{count * 3 // 4:06}"
    return [
        Look("show of a run", ["show", run, *end], ["-c", "pass"], "python -c pass"),
        Look(
            "show of an item of a run",
            ["show", run, "--item", item, *end],
            ["-c", _DIGEST, *files],
            "SHA-256 of the item's three files",
        ),
    ]


def _measure_look(look: Look, status: Path, rounds: int) -> dict[str, float]:
    """CPU seconds of ours and of the limit, MB of ours (0 where the system does not tell)."""
    memory: list[float] = []

    def ours() -> float:
        spent = _time([sys.executable, "-c", _CODE, str(status), *look.words])
        memory.append(_read_memory(status.read_text()))
        return spent

    contenders: dict[str, Callable[[], float]] = {"cpu": ours, "limit": lambda: _time([sys.executable, *look.limit])}
    for warm in contenders.values():
        warm()
    return {**take_rounds(contenders, rounds), "memory": max(memory)}


def _read_memory(status: str) -> float:
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, flags=re.MULTILINE)
    return 0.0 if found is None else int(found[1]) / 1000


def _time(command: Sequence[str]) -> float:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[1:4]} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def _compare(
    work: str, items: int, costs: dict[str, float], limit_name: str, growth: float | None = None
) -> Comparison:
    return Comparison(
        id="P13",
        work=work,
        size=f"{items:,} items",
        unit="CPU s",
        ours=costs["cpu"],
        limit=costs["limit"],
        limit_name=limit_name,
        goal=CPU_GOAL,
        growth=growth,
    )


def _compare_memory(work: str, items: int, memory: float) -> Comparison:
    return Comparison(
        id="P13", work=f"{work}, memory", size=f"{items:,} items", unit="MB", ours=memory, goal=MEMORY_GOAL
    )
