"""benchproof: benchmark numbers you can defend."""

__version__ = "0.1.0"
