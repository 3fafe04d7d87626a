"""Rows of the frame ``scores``: one a number, computed again from the run's items and records."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from benchproof.archive import SealedRun
from benchproof.canon import canonical
from benchproof.frames.sized_rows import SizedRow, state_run
from benchproof.records.score_sheet import SheetNumber
from benchproof.results import Row, rows_of
from benchproof.scores import compute_score_sheet

_COPIED = (
    "tag", "axis", "dataset", "language", "slice", "metric", "unit", "value", "level", "method", "clusters",
    "numerator", "denominator", "planned", "excluded", "chance", "null_rate", "ties", "capped", "empty",
    "truncation_rate", "flags",
)  # fmt: skip
_SIZE = 1024
"""About what a number takes, in bytes."""


def list_score_rows(run: SealedRun) -> Iterator[SizedRow]:
    """Every number of a run in the order of its score sheet; none is taken from a sheet that was saved."""
    sheet = compute_score_sheet(run)
    # Rows in a table's words, for the setting and the keys that decide; how far the run was proved is not for a frame.
    rows = rows_of(run, sheet, proof="intact")
    for number, row in zip(sheet["numbers"], rows, strict=True):
        yield SizedRow({**state_run(run), **_state_number(number), **_state_standing(row)}, _SIZE)


def _state_number(number: SheetNumber) -> dict[str, Any]:
    lower, upper = number["interval"] or (None, None)
    return {
        **{name: number.get(name) for name in _COPIED},
        "lower": lower,
        "upper": upper,
        "also": _write_json(number.get("also", [])),
        "reported": _write_json(number.get("reported")),
        "denominators": _write_json(number.get("denominators")),
    }


def _state_standing(row: Row) -> dict[str, Any]:
    return {
        "model_id": row.model_id,
        "sealed_at": datetime.fromisoformat(row.date),
        "benchmark": row.benchmark,
        "draft_digest": row.draft_digest,
        "setting": {key: str(value) for key, value in row.setting.items()},
        "hard_keys": list(row.hard_keys),
    }


def _write_json(value: Any) -> str | None:
    return None if value is None else canonical(value).decode()
