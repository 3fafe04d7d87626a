"""What can go wrong when another program's log is taken in: one family."""

from benchproof.errors import BenchproofError, ExitCode


class InteropError(BenchproofError):
    """Base of this room's errors."""


class NoLogError(InteropError):
    """Nothing that was given is a log of a known format; an import of nothing is a failure, never a success."""

    exit_code = ExitCode.CANNOT_TELL


class UnreadableLogError(InteropError):
    """A file is of a known format, and is not readable as it: damaged, hostile, or of a version that is not known."""

    exit_code = ExitCode.NO


class ChangedLogError(InteropError):
    """A file changed between being looked at and being kept."""

    exit_code = ExitCode.CANNOT_TELL
