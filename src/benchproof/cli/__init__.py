"""Thin verbs: parse, one library call, render, exit code."""
