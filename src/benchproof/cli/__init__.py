"""Thin verbs: parse, one library call, render, exit code."""

from benchproof.cli.entry import main

__all__ = ["main"]
