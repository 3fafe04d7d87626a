"""The error family of frames."""

from benchproof.errors import BenchproofError, ExitCode


class FramesError(BenchproofError):
    """A frame that cannot be made or written as asked."""


class EmptyFrameError(FramesError):
    """The runs have no rows of that kind: nothing is written, so that nobody takes an empty file for a result."""

    exit_code = ExitCode.CANNOT_TELL


class PackageMissingError(FramesError):
    """A package of the extra ``frames``, or the table library that was asked for, is not installed ("cannot tell")."""

    exit_code = ExitCode.CANNOT_TELL
