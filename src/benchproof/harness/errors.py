"""The error family of the harness: a bench that cannot be compiled, a run that cannot be started or resumed."""

from collections.abc import Sequence

from benchproof.errors import BenchproofError, ExitCode
from benchproof.rulebook import Finding

SHOWN_FINDINGS = 5


class HarnessError(BenchproofError):
    """Base of every error that the harness raises."""


class BenchError(HarnessError):
    """A bench package that breaks its rules; ``findings`` holds every fault, the message the first few."""

    def __init__(self, what: str, *, findings: Sequence[Finding], place: str | None = None) -> None:
        shown = "".join(f"\n  {finding}" for finding in findings[:SHOWN_FINDINGS])
        left = len(findings) - SHOWN_FINDINGS
        more = f"\n  … and {left} more (`benchproof check` lists all)" if left > 0 else ""
        super().__init__(f"{what}{shown}{more}", place=place)
        self.findings = tuple(findings)


class BenchNotFoundError(HarnessError):
    """No bench of that name or path."""


class SelectionError(HarnessError):
    """A language or axis was asked for that the bench does not have."""


class RunKeyError(HarnessError):
    """An open run cannot be resumed because bench, model or options are not those it was opened with."""


class ModelChangedError(HarnessError):
    """The model's file is not the one the run began with; the run stays open, nothing is sealed."""


class NothingFitsError(HarnessError):
    """No item fits the model's context window: nothing could be measured, so the exit code is "cannot tell"."""

    exit_code = ExitCode.CANNOT_TELL
