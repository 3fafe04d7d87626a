"""A peer as a process that stays: started once, asked once a round, so that its import and model load count once.

What is said between the two: one line of JSON each way. The peer's side is ``answer_lines``; its own prints go to
standard error, because standard output is the answers.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, Self

REPOSITORY = Path(__file__).resolve().parents[2]
_OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TQDM_DISABLE": "1", "INSPECT_DISPLAY": "none"}


def find_program(name: str) -> Path | None:
    """A program of the peers' environment (``.venv-peers``, or what ``BENCHPROOF_PEERS`` names); ``None`` without."""
    program = Path(os.environ.get("BENCHPROOF_PEERS", REPOSITORY / ".venv-peers")) / "bin" / name
    return program if program.exists() else None


def name_peer(package: str) -> str:
    """A peer's package with its version, as far as it is installed."""
    python = find_program("python")
    folders = [str(each) for each in python.parents[1].glob("lib/python*/site-packages")] if python else []
    found = (each.version for each in metadata.distributions(name=package, path=folders))
    return " ".join([package, *itertools.islice(found, 1)])


class PeerMissingError(Exception):
    """The peer is not installed, or cannot do the work here: ``str()`` says which and why."""


class PeerWorker:
    """A peer's module under the peers' Python. Its files go to a folder of its own that ``close`` removes."""

    def __init__(self, module: str) -> None:
        """Start ``benchmarks.peers.<module>``; raises ``PeerMissingError`` where its environment is absent."""
        python = find_program("python")
        if python is None:
            raise PeerMissingError("peers are not installed (make bench installs them)")
        self._module = module
        self._folder = tempfile.TemporaryDirectory(prefix="benchproof-peer-")
        self._errors = (Path(self._folder.name) / "stderr").open("w+b")
        self._process = subprocess.Popen(
            [str(python), "-m", f"benchmarks.peers.{module}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=make_environment(Path(self._folder.name)),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, **question: Any) -> dict[str, Any]:
        """One answer; raises ``PeerMissingError`` with the peer's last words where it died."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise PeerMissingError(f"{self._module} has no pipes")
        try:
            stdin.write(json.dumps(question).encode() + b"\n")
            stdin.flush()
        except BrokenPipeError:
            pass
        line = stdout.readline()
        if not line:
            raise PeerMissingError(f"{self._module} stopped: {self._read_last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process and remove what it wrote."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=60)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()
        self._folder.cleanup()

    def _read_last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it did not say why"


def make_environment(folder: Path) -> dict[str, str]:
    """What a peer's process is given: caches in ``folder``, no network asked for, one thread a library."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    home = {"HF_HOME": str(folder / "hf"), "XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder)}
    return {**kept, **threads, **_OFFLINE, **home, "PYTHONPATH": str(REPOSITORY)}


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """The peer's side: one line of answer for each line of question, until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a peer prints is no answer
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()
