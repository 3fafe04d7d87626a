"""The error family of analysis."""

from benchproof.errors import BenchproofError


class AnalysisError(BenchproofError):
    """Base of what this room raises."""


class ContrastError(AnalysisError):
    """Two runs that cannot be contrasted, or not as asked."""


class GateError(AnalysisError):
    """A gate that cannot be held as asked."""
