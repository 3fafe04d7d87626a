"""Sealed runs as tables: Arrow, and by choice Polars or pandas; every column stands in the dictionary.

    from benchproof import frames

    frames.items("babel-data", "@latest", to="polars")

``cards`` of a results folder are not here yet. Needs the extra ``frames`` (pyarrow); CSV files do not.
"""

from benchproof.frames.columns import KINDS, Column, FrameShape, Kind, check_kind, describe_frame
from benchproof.frames.engines import ENGINES, Engine
from benchproof.frames.errors import EmptyFrameError, FramesError, PackageMissingError
from benchproof.frames.reading import Runs, calls, items, load_runs, read_batches, scores, stream
from benchproof.frames.writing import FORMS, Form, WrittenFrame, find_form, write_frame

__all__ = [
    "ENGINES",
    "FORMS",
    "KINDS",
    "Column",
    "EmptyFrameError",
    "Engine",
    "Form",
    "FrameShape",
    "FramesError",
    "Kind",
    "PackageMissingError",
    "Runs",
    "WrittenFrame",
    "calls",
    "check_kind",
    "describe_frame",
    "find_form",
    "items",
    "load_runs",
    "read_batches",
    "scores",
    "stream",
    "write_frame",
]
