"""What can go wrong in an archive: one family, each error with the exit code that it deserves."""

from benchproof.errors import BenchproofError, ExitCode


class ArchiveError(BenchproofError):
    """Base of the archive's errors."""


class LayoutError(ArchiveError):
    """The folder is no archive, or an archive of another layout."""


class HandleError(ArchiveError):
    """A handle names no run, or more than one."""


class LockedError(ArchiveError):
    """Somebody else holds the lock; the message names process and host."""


class OpenRunError(ArchiveError):
    """An open run cannot be opened, resumed or written as asked."""


class RunExistsError(OpenRunError):
    """The id is sealed already; nothing was overwritten.

    ``identical`` says whether ``raw/`` and ``records/`` there hold the same bytes; ``None`` where there was nothing to
    compare with.
    """

    def __init__(self, run_id: str, *, sealed_sha256: str, identical: bool | None = None) -> None:
        same = {True: ", with the same raw/ and records/", False: ", with other raw/ or records/", None: ""}[identical]
        super().__init__(
            f"run {run_id} is sealed already{same}",
            place=f"runs/{run_id}",
            hint="A sealed run is never overwritten; use a new id",
        )
        self.run_id = run_id
        self.sealed_sha256 = sealed_sha256
        self.identical = identical


class RenderingError(ArchiveError):
    """A prompt template and an item do not fit."""


class RecordingError(ArchiveError):
    """A raw line does not belong to the axis and item that it is recorded for."""


class ImpossibleLogprobError(RecordingError):
    """A token's log-probability is above 0, so that it is the logarithm of no probability."""


class DamagedError(ArchiveError):
    """Sealed bytes are not what their manifest says: evidence against the run, not trouble with the machine."""

    exit_code = ExitCode.NO


class StorageError(ArchiveError):
    """The disk did not do what was asked: full, read-only, no permission, device error. Nothing was half published."""

    exit_code = ExitCode.CANNOT_TELL


class ChangedWhileReadingError(StorageError):
    """A file grew or shrank while it was read: no verdict on its content."""


class PublishedButNotDurableError(StorageError):
    """The run is published and whole, but a power cut now could still undo it: syncing the parent folder failed."""

    def __init__(self, place: str, sha256: str, reason: str) -> None:
        super().__init__(
            "the run is published, but the disk did not confirm that its name is durable",
            place=place,
            got=reason,
            hint=f"Do not seal it again: check the disk, then verify the run (manifest sha256 {sha256})",
        )
        self.sha256 = sha256
