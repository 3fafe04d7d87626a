"""Frames of sealed runs: whole tables, or record batches one at a time (contract-proof, frames).

Laws kept: nothing is believed before its digest is compared, so a damaged run raises instead of giving a table; memory
of a stream grows with the ids of an axis, not with its texts; no model is asked and nothing is written.
"""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from benchproof.archive import SealedRun, load_run
from benchproof.frames.arrow_library import make_reader, make_table
from benchproof.frames.call_rows import list_call_rows
from benchproof.frames.columns import Kind, check_kind, describe_frame
from benchproof.frames.engines import Engine, check_engine, convert_table
from benchproof.frames.errors import FramesError
from benchproof.frames.item_rows import list_item_rows
from benchproof.frames.score_rows import list_score_rows
from benchproof.frames.sized_rows import SizedRow, cut_batches

Runs = str | Sequence[str]
"""Handles: an id, its unique beginning, ``@latest``, a path; or several."""

_ROWS = {"items": list_item_rows, "calls": list_call_rows, "scores": list_score_rows}


def items(root: str | PathLike[str], runs: Runs, *, to: Engine = "arrow") -> Any:
    """What was asked and what became of it: a row an item and metric.

    Args:
        root: The archive (``babel-data``).
        runs: A handle, or several.
        to: ``arrow`` (``pyarrow.Table``), ``polars`` or ``pandas``.

    Raises:
        ArchiveError: No such run, or its bytes are not those that were sealed.
        EvidenceError: Items and records do not fit one another.
        PackageMissingError: pyarrow, or what ``to`` names, is not installed.
    """
    return _make_frame("items", root, runs, to)


def calls(root: str | PathLike[str], runs: Runs, *, to: Engine = "arrow") -> Any:
    """What was given to the model and what came back: a row a raw line. Arguments and errors as of ``items``."""
    return _make_frame("calls", root, runs, to)


def scores(root: str | PathLike[str], runs: Runs, *, to: Engine = "arrow") -> Any:
    """The numbers with denominators and intervals: a row a number. Arguments and errors as of ``items``."""
    return _make_frame("scores", root, runs, to)


def stream(kind: Kind, root: str | PathLike[str], runs: Runs) -> Any:
    """A frame as a ``pyarrow.RecordBatchReader``: one batch is in memory at a time.

    A file's digest is compared when its last line was read: where that raises, forget the batches that came before.
    """
    shape = describe_frame(check_kind(kind))
    return make_reader(shape, read_batches(kind, root, runs))


def read_batches(kind: Kind, root: str | PathLike[str], runs: Runs) -> Iterator[list[Mapping[str, Any]]]:
    """The rows of a frame, some thousand at a time, as mappings from column to value."""
    return cut_batches(_list_rows(kind, load_runs(root, runs)))


def load_runs(root: str | PathLike[str], runs: Runs) -> list[SealedRun]:
    """The runs of the handles, each once, in the order in which they are named first."""
    handles = [runs] if isinstance(runs, str) else list(runs)
    if not handles:
        raise FramesError("no run is named", expected="a run's id, its unique beginning, @latest, or a path")
    found = [load_run(Path(root), handle) for handle in handles]
    return list({run.sha256: run for run in found}.values())


def _list_rows(kind: Kind, runs: Sequence[SealedRun]) -> Iterator[SizedRow]:
    for run in runs:
        yield from _ROWS[kind](run)


def _make_frame(kind: Kind, root: str | PathLike[str], runs: Runs, to: str) -> Any:
    engine = check_engine(to)
    return convert_table(make_table(describe_frame(kind), read_batches(kind, root, runs)), engine)
