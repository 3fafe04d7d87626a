"""What a reader makes of a log: a run of another harness, with nothing in it that the log does not state."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchproof.interop.log_files import LogFile, Look
from benchproof.records.imported import ImportedAxis, ImportedRecord
from benchproof.rulebook import Finding

UNKNOWN = "unknown"
NO_LANGUAGE = "und"
"""BCP 47: undetermined. Most harnesses state a language in a task's name at best."""

NO_SCRIPT = "unknown"


@dataclass
class ForeignAxis:
    """One task of a log in one language.

    ``axis`` may be completed while ``records`` are read; it is written when they have been. ``setting`` has the keys
    of the catalogue that the log states. ``selection`` is ``all`` or, under a limit, ``first@n``.
    """

    axis: ImportedAxis
    setting: dict[str, Any]
    records: Callable[[], Iterator[ImportedRecord]]
    selection: str = "all"


@dataclass
class ForeignRun:
    """One run of another harness.

    ``model`` holds what is known of ``ModelIdentity``. ``findings`` grow while records are read. ``name`` is the model
    as the run's id will have it; ``title`` names the bench.
    """

    harness: str
    harness_version: str
    title: str
    model: dict[str, Any]
    created_at: str
    axes: list[ForeignAxis]
    bench_version: str = UNKNOWN
    environment: dict[str, Any] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    synthetic: bool = False


class LogReader(Protocol):
    """Reads the logs of one harness. A reader opens no file but those it is given, and runs nothing."""

    @property
    def format(self) -> str:
        """``lm-eval``, ``inspect`` …: the word in ``imported_from``."""
        ...

    def recognise(self, look: Look) -> str | None:
        """The part that a file plays in a log of this format (``results``, ``samples``), or ``None``."""
        ...

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """Recognised files with their parts → the files of each run."""
        ...

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run in the files of one group.

        Raises:
            UnreadableLogError: The files cannot be read as this format.
        """
        ...
