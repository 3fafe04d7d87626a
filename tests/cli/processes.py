"""The command line in a process of its own, where a signal, a terminal or a missing package is the point."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import benchproof

SOURCE = str(Path(benchproof.__file__).parents[1])
CODE = "import sys; from benchproof.cli import main; sys.exit(main(sys.argv[1:]))"
PATIENCE = 30.0


def start(*words: object, stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """Begin a command; the caller waits for it."""
    return subprocess.Popen(
        [sys.executable, "-c", CODE, *map(str, words)],
        stdout=stdout,
        stderr=stderr,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )


def wait_until(happened: Callable[[], bool]) -> None:
    """Look again and again, and fail where it does not come."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.005)


def journal_bytes(archive: Path) -> int:
    """How much is journalled in the open runs of an archive."""
    return sum(path.stat().st_size for path in archive.glob(".staging/run-*/journal") if path.is_file())
