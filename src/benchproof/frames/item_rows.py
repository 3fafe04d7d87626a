"""Rows of the frame ``items``: what was asked, what became of it, and its score, item by item.

Memory grows with the ids of one axis (about 30 bytes an item beside its id), its passages and its overlap groups, never
with texts. Each file's digest is compared: of items before the first row, of records after the last.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from benchproof.archive import Line, SealedRun
from benchproof.canon import canonical
from benchproof.frames.errors import FramesError
from benchproof.frames.imported_rows import list_imported_rows
from benchproof.frames.sized_rows import SizedRow, state_run
from benchproof.measure import ClusterBook, item_names
from benchproof.records.bench import CompiledItem
from benchproof.scores import find_axis_scorer, list_languages, score_item

_OF_ITEM = ("item_id", "register", "passage_id", "choices", "answer_index", "references", "input")
_OF_RECORD = ("chosen", "values", "answer", "finish", "generated_tokens", "raw_sha256")
Lines = Iterator[tuple[Line, dict[str, Any]]]


def list_item_rows(run: SealedRun) -> Iterator[SizedRow]:
    """Every planned item of a run, under each metric of its axis."""
    for axis_key in run.axis_keys:
        axis = run.axis_of_run(axis_key)
        stated = {
            **state_run(run),
            **{name: axis[name] for name in ("benchmark", "axis", "language", "script")},
        }
        rows = list_imported_rows if run.is_imported(axis_key) else _list_own_rows
        for values, size in rows(run, axis_key):
            yield SizedRow({**stated, **values}, size)


def _list_own_rows(run: SealedRun, axis_key: str) -> Iterator[SizedRow]:
    axis = run.axis(axis_key)
    scorer = find_axis_scorer(axis)
    book = _join_clusters(run, axis["axis"])
    records = run.records(axis_key)
    waiting = next(records, None)
    with run.opened_items(axis_key) as items:
        for item_id in items.ids.sort_texts():
            item = items.find(item_id)
            found, waiting = (waiting, next(records, None)) if _is_of(waiting, item_id) else (None, waiting)
            line, record = (None, None) if found is None else found
            scored = score_item(item, record, scorer, place=f"{run.id} {axis_key}")
            yield SizedRow(
                {
                    **_state_item(item, book),
                    **_state_record(line, record or {}),
                    "metric": axis["metric"],
                    "outcome": scored.outcome,
                    "score": scored.score,
                    "tie": scored.tie if scored.outcome == "scored" and "choices" in item else None,
                    "reason": (record or {}).get("reason") or item["exclusion_reason"],
                    "asked": int(record is not None),
                },
                _measure(item, line),
            )
    if waiting is not None:
        raise FramesError(
            "a record has no item, or records are not in the order of their ids",
            place=f"{run.id} records/{axis_key}.ndjson:{waiting[0].number}",
            got=str(waiting[1]["item_id"]),
            hint="`benchproof verify` says whether the run is sound.",
        )


def _join_clusters(run: SealedRun, axis: str) -> ClusterBook:
    """Passages and overlap groups over all languages of an axis; an item that has neither is its own cluster."""
    book = ClusterBook()
    for axis_key in list_languages(run, axis):
        for item in run.items(axis_key):
            if item["passage_id"] is not None or item["overlap_group_ids"]:
                book.join(_name(item))
    return book


def _name(item: CompiledItem) -> list[str]:
    return item_names(item["global_item_id"], item["passage_id"], item["overlap_group_ids"])


def _is_of(pair: tuple[Line, dict[str, Any]] | None, item_id: str) -> bool:
    return pair is not None and pair[1]["item_id"] == item_id


def _state_item(item: CompiledItem, book: ClusterBook) -> dict[str, Any]:
    names = _name(item)
    is_alone = item["passage_id"] is None and not item["overlap_group_ids"]
    return {
        **{name: item.get(name) for name in _OF_ITEM},
        "question_id": item["global_item_id"],
        "cluster": names[0] if is_alone else book.find(names[0]),
    }


def _state_record(line: Line | None, record: Mapping[str, Any]) -> dict[str, Any]:
    return {**{name: record.get(name) for name in _OF_RECORD}, "record_sha256": None if line is None else line.sha256}


def _measure(item: CompiledItem, line: Line | None) -> int:
    return len(canonical(item)) + (0 if line is None else line.length)
