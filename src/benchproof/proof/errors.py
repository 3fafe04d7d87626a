"""Errors of the proof room."""

from benchproof.errors import BenchproofError, ExitCode


class ProofError(BenchproofError):
    """Why, verify or rerun cannot go on: the call is wrong, not the evidence."""


class UnknownItemError(ProofError):
    """The run has no item of this id on the number's axis."""


class OtherModelError(ProofError):
    """The model handed in is not the one that the run recorded."""


class NotIntactError(ProofError):
    """The evidence itself is damaged, so that nothing can be asked of it."""

    exit_code = ExitCode.NO


class NotReadableError(ProofError):
    """The evidence could not be read, so that nothing can be said of it."""

    exit_code = ExitCode.CANNOT_TELL


class ExpectFileError(ProofError):
    """A file of outside references cannot be read."""


class ContainerError(ProofError):
    """A packed proof is not what ``pack`` writes: it was changed, torn, or never was one."""

    exit_code = ExitCode.NO


class ContainerUnreadableError(ProofError):
    """A packed proof cannot be read or written, which is no verdict."""

    exit_code = ExitCode.CANNOT_TELL


class GateReferenceError(ProofError):
    """The reference of a gate cannot be read, or names no run of the archive."""
