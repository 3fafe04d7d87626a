"""Rows as CSV, with the standard library alone: what is nested is JSON, what is missing is empty."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchproof.canon import canonical
from benchproof.frames.columns import FrameShape


def write_csv(shape: FrameShape, batches: Iterable[Sequence[Mapping[str, Any]]], path: Path) -> None:
    """One line a row behind a line of names; UTF-8, line feeds, quoted where needed."""
    names = [column.name for column in shape.columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for batch in batches:
            writer.writerows([_write_cell(row.get(name)) for name in names] for row in batch)


def _write_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return canonical(value).decode()
