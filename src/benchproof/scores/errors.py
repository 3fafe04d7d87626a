"""The error family of this room."""

from benchproof.errors import BenchproofError


class ScoresError(BenchproofError):
    """Base of what goes wrong between evidence and a number."""


class TagError(ScoresError):
    """A text is no tag, or no number here has it."""


class EvidenceError(ScoresError):
    """Items and records of a run do not fit one another, so that they cannot be scored."""
