"""A first load in a process of its own: some well-formed files make the native library stop the process.

Laws kept: weights that nobody pinned are loaded here only after a child process has loaded them, read tokens and
decoded through the same binding and lived; a file is tried once (``verdicts``). What is not remembered: a refusal,
which is cheap, and an end that may be this machine's doing (out of time, killed from outside). A file that lives
through its trial may still end the process at a text that the trial did not read.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchproof.models.errors import TrialError, WeightsError
from benchproof.models.runtime import BindingFacts, RuntimeBinding, RuntimeFailure
from benchproof.models.verdicts import Verdict, read_verdict, verdict_path, write_verdict
from benchproof.models.weights_file import WeightsFile

_LEAST_SECONDS = 120.0
_BYTES_A_SECOND = 10_000_000  # of a slow disk
_LONGEST_SAID = 200
_OF_THE_FILE = frozenset({signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS})
_PROGRAM = (
    "import json, sys; task = json.load(sys.stdin); sys.path[:] = task['sys_path']; "
    "from benchproof.models.trial_child import try_weights; try_weights(task)"
)


@dataclass(frozen=True, slots=True)
class Trial:
    """Tries weights in child processes; verdicts are kept below ``cache_dir``.

    ``seconds`` a child may take; ``None`` gives two minutes, and more to a file that takes long to read.
    """

    cache_dir: Path
    seconds: float | None = None

    def demand_survival(self, file: WeightsFile, binding: RuntimeBinding, *, context_tokens: int, threads: int) -> None:
        """Return where a child lives through loading and decoding ``file``, or did so before.

        Raises:
            WeightsError: The child was killed by a signal, or does not end.
            RuntimeFailure: The runtime refuses the weights, in words.
            TrialError: No child could be started.
        """
        facts = binding.describe()
        verdict = read_verdict(self.cache_dir, file.sha256, facts)
        if verdict is None:
            verdict = self._try(file, binding, facts, context_tokens=context_tokens, threads=threads)
        if verdict.death is not None:
            kept = verdict_path(self.cache_dir, file.sha256, facts)
            raise _deadly(file, facts, verdict.death, f"To try the file again, remove {kept}." if kept.exists() else "")

    def _try(
        self, file: WeightsFile, binding: RuntimeBinding, facts: BindingFacts, *, context_tokens: int, threads: int
    ) -> Verdict:
        limit = self.seconds or _LEAST_SECONDS + file.size / _BYTES_A_SECOND
        task = {
            "binding": f"{type(binding).__module__}:{type(binding).__qualname__}",
            "file": str(file.path.absolute()),
            "context_tokens": context_tokens,
            "threads": threads,
            "sys_path": [str(Path(entry).absolute()) for entry in sys.path],
        }
        status, reports, said = _run_child(task, limit)
        steps = [report["at"] for report in reports if "at" in report]
        if not steps:
            raise _not_started(file, status, said)
        if status == 0 and "refused" in reports[-1]:
            raise RuntimeFailure(reports[-1]["refused"])
        if status == 0 and "survived" in reports[-1]:
            verdict = Verdict(None)
        else:
            end = f"no end within {limit:,.0f} s" if status is None else _name_end(status)
            verdict = Verdict(f"{end} while {steps[-1]}" + (f": {said}" if said else ""))
        if verdict.death is None or (status is not None and -status in _OF_THE_FILE):
            write_verdict(self.cache_dir, file.sha256, facts, verdict)
        return verdict


def _run_child(task: dict[str, Any], limit: float) -> tuple[int | None, Sequence[dict[str, Any]], str]:
    """Exit status (``None``: out of time), the child's reports, and the first line of what it or the library said."""
    command = [sys.executable, "-I", "-c", _PROGRAM]
    try:
        result = subprocess.run(
            command, input=json.dumps(task).encode(), capture_output=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired as error:
        return None, _read_reports(error.stdout or b""), ""
    except OSError as error:
        return 1, [], error.strerror or str(error)
    return result.returncode, _read_reports(result.stdout), _first_line(result.stderr)


def _read_reports(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def _first_line(output: bytes) -> str:
    lines = (line.strip() for line in output.decode("utf-8", "replace").splitlines())
    return next((line for line in lines if line), "")[:_LONGEST_SAID]


def _name_end(status: int) -> str:
    if status >= 0:
        return f"exit {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def _deadly(file: WeightsFile, facts: BindingFacts, death: str, more: str) -> WeightsError:
    return WeightsError(
        "these weights end the process that loads them",
        place=str(file.path),
        got=death,
        expected=f"weights that {facts.package} {facts.version} loads and decodes",
        hint=f"Fetch the file again from where you trust it, or use another one. {more}".strip(),
    )


def _not_started(file: WeightsFile, status: int | None, said: str) -> TrialError:
    return TrialError(
        "weights that are not pinned are tried in a process of their own first, and none can be started",
        place=str(file.path),
        got=said or ("no sign of life" if status is None else _name_end(status)),
        expected=f"that {sys.executable} starts",
        hint="Look whether memory or processes are short.",
    )
