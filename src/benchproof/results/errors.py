"""The error family of results: settings, comparability and tables."""

from benchproof.errors import BenchproofError


class ResultsError(BenchproofError):
    """Base of what this room raises."""


class SettingError(ResultsError):
    """A setting that cannot be computed from what was handed in."""


class RowsError(ResultsError):
    """A score sheet that does not belong to the run whose rows were asked for."""


class TableError(ResultsError):
    """A table that cannot be built or rendered as asked."""
