"""Errors of the proof room."""

from benchproof.errors import BenchproofError


class ProofError(BenchproofError):
    """Why, verify or rerun cannot go on: the call is wrong, not the evidence."""


class UnknownItemError(ProofError):
    """The run has no item of this id on the number's axis."""


class OtherModelError(ProofError):
    """The model handed in is not the one that the run recorded."""


class ExpectFileError(ProofError):
    """A file of outside references cannot be read."""
