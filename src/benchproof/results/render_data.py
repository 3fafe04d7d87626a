"""A table as data: JSON with its whole arrangement, CSV with one line a number."""

import csv
import io
import json
from typing import Any

from benchproof.results.catalogue import describe_flag, order_keys
from benchproof.results.footnotes import list_flags
from benchproof.results.rows import Row
from benchproof.results.table_parts import Block, Line, Section, Table

CSV_COLUMNS = (
    "benchmark", "draft_digest", "axis", "dataset", "metric", "direction", "group", "language", "slice", "model",
    "model_id", "synthetic", "rank", "value", "unit", "lower", "upper", "level", "method", "clusters", "numerator",
    "denominator", "planned", "excluded", "chance", "ties", "flags", "tag", "proof", "run", "date", "older",
)  # fmt: skip
"""Before the setting, whose keys are columns ``setting.<key>`` in catalogue order."""


def render_json(table: Table, *, built: str, version: str, width: int | None = None) -> str:
    """The table as one JSON document; figures are not rounded further than their score sheets."""
    del width
    return json.dumps(describe_table(table, built=built, version=version), ensure_ascii=False, indent=2) + "\n"


def describe_table(table: Table, *, built: str, version: str) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "schema_version": 1,
        "kind": "table",
        "built": built,
        "benchproof": version,
        "ranked": table.ranked,
        "flags": {flag: describe_flag(flag) for flag in list_flags(_list_rows(table))},
        "compared_with": table.compared_with,
        "sections": [_describe_section(section) for section in table.sections],
    }


def render_csv(table: Table, *, built: str, version: str, width: int | None = None) -> str:
    """One line a number, older runs included and marked; lists are joined by spaces, groups numbered ``section.block``.

    ``built`` and ``version`` have no place in lines of numbers and are not written.
    """
    del built, version, width
    cells = [found for section in enumerate(table.sections, 1) for found in _list_records(*section)]
    keys = order_keys({key for _, row in cells for key in row.setting})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*CSV_COLUMNS, *(f"setting.{key}" for key in keys)])
    for record, row in cells:
        writer.writerow([*(record[name] for name in CSV_COLUMNS), *(row.setting.get(key, "unknown") for key in keys)])
    return out.getvalue()


def _list_records(number: int, section: Section) -> list[tuple[dict[str, object], Row]]:
    found: list[tuple[dict[str, object], Row]] = []
    for place, block in enumerate(section.blocks, 1):
        group = f"{number}.{place}"
        for line in block.lines:
            found += [
                (_make_record(section, group, cell.row, rank=str(cell.rank or ""), older=False), cell.row)
                for cell in line.cells.values()
            ]
        found += [(_make_record(section, group, row, rank="", older=True), row) for row in block.older]
    return found


def _make_record(section: Section, group: str, row: Row, *, rank: str, older: bool) -> dict[str, object]:
    lower, upper = row.interval or ("", "")
    return {
        "benchmark": row.benchmark,
        "draft_digest": row.draft_digest or "",
        "axis": row.axis,
        "dataset": row.dataset,
        "metric": row.metric,
        "direction": section.direction,
        "group": group,
        "language": row.language,
        "slice": row.slice,
        "model": row.model,
        "model_id": row.model_id,
        "synthetic": str(row.synthetic).lower(),
        "rank": rank,
        "value": "" if row.value is None else row.value,
        "unit": row.unit,
        "lower": lower,
        "upper": upper,
        "level": row.level,
        "method": row.method,
        "clusters": row.clusters,
        "numerator": "" if row.numerator is None else row.numerator,
        "denominator": row.denominator,
        "planned": row.planned,
        "excluded": " ".join(f"{reason}={count}" for reason, count in sorted(row.excluded.items())),
        "chance": "" if row.chance is None else row.chance,
        "ties": row.ties,
        "flags": " ".join(row.flags),
        "tag": row.tag,
        "proof": row.proof,
        "run": row.source,
        "date": row.date,
        "older": str(older).lower(),
    }


def _list_rows(table: Table) -> list[Row]:
    return [cell.row for section in table.sections for cell in section.list_cells()]


def _describe_section(section: Section) -> dict[str, Any]:
    return {
        "benchmark": section.benchmark,
        "draft": section.draft_digest is not None,
        "bench_digest": section.draft_digest,
        "axis": section.axis,
        "dataset": section.dataset,
        "metric": section.metric,
        "direction": section.direction,
        "languages": list(section.languages),
        "setting": {key: dict(values) for key, values in section.common.items()},
        "differing": list(section.differing),
        "groups": [_describe_block(block) for block in section.blocks],
        "hidden_slices": section.hidden_slices,
    }


def _describe_block(block: Block) -> dict[str, Any]:
    return {
        "keys": {key: dict(values) for key, values in block.keys.items()},
        "unknown": list(block.unknown),
        "synthetic": block.is_synthetic,
        "lines": [_describe_line(line) for line in block.lines],
        "older": [_describe_row(row) for row in block.older],
    }


def _describe_line(line: Line) -> dict[str, Any]:
    return {
        "model": line.model,
        "note": line.note,
        "slice": line.slice,
        "synthetic": line.synthetic,
        "cells": {
            language: _describe_row(cell.row)
            | ({"rank": cell.rank.place, "shared": cell.rank.shared} if cell.rank else {})
            for language, cell in line.cells.items()
        },
    }


def _describe_row(row: Row) -> dict[str, Any]:
    return {
        "tag": row.tag,
        "value": row.value,
        "unit": row.unit,
        "interval": None if row.interval is None else list(row.interval),
        "level": row.level,
        "method": row.method,
        "clusters": row.clusters,
        "numerator": row.numerator,
        "denominator": row.denominator,
        "planned": row.planned,
        "excluded": dict(row.excluded),
        "chance": row.chance,
        "ties": row.ties,
        "flags": list(row.flags),
        "also": [dict(other) for other in row.also],
        "proof": row.proof,
        "model_id": row.model_id,
        "run": row.source,
        "date": row.date,
        "setting": dict(row.setting),
    }
