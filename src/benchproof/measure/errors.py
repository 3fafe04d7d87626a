"""The error family of this room."""

from benchproof.errors import BenchproofError


class MeasureError(BenchproofError):
    """A measure was asked of numbers that it is not defined for."""
