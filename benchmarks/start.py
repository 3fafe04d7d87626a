"""P3: what a start costs. Whole processes, user and system CPU seconds, as the operating system counts them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.comparison import Comparison, Goal
from benchmarks.peers.worker import find_program, make_environment, name_peer
from benchmarks.rounds import take_rounds

GOAL = Goal("ours", 0.25)
PEER_COMMANDS = {"lm-eval": "lm_eval", "inspect-ai": "inspect"}
_NOT_INSTALLED = "is not installed (make bench installs it)"


def measure(rounds: int) -> list[Comparison]:
    """``--help`` and ``--version`` beside an empty Python and the peers' ``--help``."""
    with tempfile.TemporaryDirectory() as folder:
        environment = make_environment(Path(folder))
        contenders = {
            "limit": _time([sys.executable, "-c", "pass"], dict(os.environ)),
            "--help": _time([*_find_ours(), "--help"], dict(os.environ)),
            "--version": _time([*_find_ours(), "--version"], dict(os.environ)),
        }
        for package, command in PEER_COMMANDS.items():
            program = find_program(command)
            if program is not None:
                contenders[package] = _time([str(program), "--help"], environment)
        for warm in contenders.values():
            warm()
        costs = take_rounds(contenders, rounds)
    return [_compare(costs, verb, package) for verb in ("--help", "--version") for package in PEER_COMMANDS]


def _compare(costs: dict[str, float], verb: str, package: str) -> Comparison:
    return Comparison(
        id="P3",
        work=f"start, {verb}",
        size="1 process",
        unit="CPU s",
        ours=costs[verb],
        peer=costs.get(package),
        peer_name=f"{name_peer(package)}, {PEER_COMMANDS[package]} --help",
        limit=costs["limit"],
        limit_name="python -c pass",
        goal=GOAL,
        note="" if package in costs else f"{package} {_NOT_INSTALLED}",
    )


def _find_ours() -> list[str]:
    """The installed command beside this Python; without one (a checkout on the path) the same entry point."""
    command = Path(sys.executable).parent / "benchproof"
    if command.exists():
        return [str(command)]
    return [sys.executable, "-c", "import sys; from benchproof.cli import main; sys.exit(main())"]


def _time(command: Sequence[str], environment: dict[str, str]) -> Callable[[], float]:
    def measured() -> float:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{command[0]} ended with exit code {process.returncode}")
        return usage.ru_utime + usage.ru_stime

    return measured
