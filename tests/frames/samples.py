"""Ids of the runs that the tests of frames read."""

WHOLE = "tiny.scripted.20261130T212541Z.7f3a"
PARTIAL = "tiny.partial.20261130T212541Z.7f3a"
