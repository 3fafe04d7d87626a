import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from archive.forging import READING, Forgery
from archive.samples import make_axis
from benchproof import frames
from benchproof.archive import Line, load_run
from benchproof.canon import sha256_hex
from benchproof.frames import FramesError
from benchproof.frames.imported_rows import state_record
from benchproof.frames.item_rows import list_item_rows
from benchproof.scores import compute_score_sheet, score_axis
from frames.samples import PARTIAL, WHOLE
from proof.sealed_runs import make_sealed_run


def read(kind: str, root: Path, *runs: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = getattr(frames, kind)(root, runs).to_pylist()
    return rows


def of_axis(rows: list[dict[str, Any]], axis_key: str) -> list[dict[str, Any]]:
    return [row for row in rows if f"{row['axis']}.{row['language']}" == axis_key]


@pytest.mark.parametrize("run_id", [WHOLE, PARTIAL])
@pytest.mark.parametrize("axis", ["reading", "facts"])
def test_items_have_the_scores_outcomes_and_clusters_that_numbers_are_made_of(
    root: Path, run_id: str, axis: str
) -> None:
    rows = read("items", root, run_id)
    for axis_key, scores in score_axis(load_run(root, run_id), axis).items():
        found = [(row["item_id"], row["score"], row["outcome"], row["cluster"]) for row in of_axis(rows, axis_key)]
        assert found == [(one.item_id, one.score, one.outcome, one.cluster) for one in scores]


def test_the_mean_of_the_scores_is_the_number_of_the_sheet(root: Path) -> None:
    items = read("items", root, WHOLE)
    for number in read("scores", root, WHOLE):
        if number["slice"] != "all":
            continue
        scored = [row["score"] for row in of_axis(items, f"{number['axis']}.{number['language']}")]
        scored = [score for score in scored if score is not None]
        assert (sum(scored), len(scored)) == (number["numerator"], number["denominator"])
        assert sum(scored) / len(scored) == pytest.approx(number["value"])


def test_an_item_without_an_answer_has_no_score_and_says_why(root: Path) -> None:
    (row,) = [row for row in of_axis(read("items", root, WHOLE), "reading.en") if row["outcome"] == "errored"]
    assert (row["score"], row["chosen"], row["tie"], row["asked"]) == (None, None, None, 1)
    assert row["reason"] == "backend"


def test_an_item_that_was_not_asked_is_a_row_too(root: Path) -> None:
    rows = of_axis(read("items", root, PARTIAL), "facts.en")
    assert {(row["outcome"], row["asked"], row["score"], row["record_sha256"]) for row in rows} == {
        ("unasked", 0, None, None)
    }


def test_a_call_is_its_raw_line(root: Path) -> None:
    run = load_run(root, WHOLE)
    for axis_key in run.axis_keys:
        rows = of_axis(read("calls", root, WHOLE), axis_key)
        for row, (line, raw) in zip(rows, run.raw_lines(axis_key), strict=True):
            kept = (run.path / f"raw/{axis_key}.ndjson").read_bytes()[row["offset"] : row["offset"] + row["bytes"]]
            assert row["sha256"] == sha256_hex(kept) == line.sha256
            assert build_raw_line(row) == raw


def build_raw_line(row: dict[str, Any]) -> dict[str, Any]:
    """The raw line that a row was made of."""
    same = ("axis", "call", "item_id", "prompt_sha256", "batching", "join_token", "prompt", "sent", "text", "token_ids")
    raw = {name: row[name] for name in (*same, "finish", "error", "detail") if row[name] is not None}
    if row["prompt_tokens"] is not None:
        raw["context_tokens" if row["call"] == "loglikelihood" else "prompt_tokens"] = row["prompt_tokens"]
    if row["params"] is not None:
        raw["params"] = json.loads(row["params"])
    if row["flags"]:
        raw["flags"] = row["flags"]
    if row["candidate_token_ids"] is not None:
        columns = (row[f"candidate_{name}"] for name in ("token_ids", "token_logprobs", "is_greedy"))
        names = ("token_ids", "token_logprobs", "is_greedy")
        raw["candidates"] = [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    return raw


def test_items_and_calls_are_joined_by_the_digest_of_the_raw_line(root: Path) -> None:
    calls = {row["sha256"]: row["item_id"] for row in read("calls", root, WHOLE)}
    assert all(calls[row["raw_sha256"]] == row["item_id"] for row in read("items", root, WHOLE))


def test_numbers_are_those_of_the_score_sheet_with_the_setting_that_they_were_obtained_under(root: Path) -> None:
    sheet = compute_score_sheet(load_run(root, WHOLE))
    rows = read("scores", root, WHOLE)
    for row, number in zip(rows, sheet["numbers"], strict=True):
        assert (row["tag"], row["value"], [row["lower"], row["upper"]]) == (
            number["tag"],
            number["value"],
            number["interval"],
        )
        assert dict(row["excluded"]) == number["excluded"]
        assert json.loads(row["also"]) == number.get("also", [])
        assert dict(row["setting"])["chat_template"] == "none"
        assert row["sealed_at"].isoformat() == "2026-11-30T21:28:05+00:00"


def test_an_imported_item_has_a_row_under_each_metric_beside_what_its_log_says(root: Path, imported: str) -> None:
    rows = read("items", root, imported)
    metrics = {row["metric"] for row in rows}
    items = {row["item_id"] for row in rows}
    assert len(metrics) > 1
    assert len(rows) == len(metrics) * len(items)
    assert all(row["score"] == row["logged"] for row in rows)
    values = {number["metric"]: number["value"] for number in read("scores", root, imported)}
    for metric in metrics:
        scores = [row["score"] for row in rows if row["metric"] == metric]
        assert sum(scores) / len(scores) == pytest.approx(values[metric])


def test_an_imported_run_has_no_calls(root: Path, imported: str) -> None:
    assert read("calls", root, imported) == []


def test_several_runs_stand_in_one_frame_each_once(root: Path) -> None:
    rows = read("scores", root, PARTIAL, WHOLE, PARTIAL)
    assert list(dict.fromkeys(row["run"] for row in rows)) == [PARTIAL, WHOLE]
    assert len({row["tag"] for row in rows}) == len(rows)


def test_items_that_are_excluded_or_in_overlap_groups_are_told_as_numbers_count_them(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    make_sealed_run(root)
    forgery = Forgery(root)
    for index, changes in enumerate(
        (
            {"overlap_group_ids": ["g1", "g2"], "passage_id": None},
            {"overlap_group_ids": ["g2", "a0"], "passage_id": None},
            {"overlap_group_ids": ["g3"]},
            {"excluded": True, "exclusion_reason": "a duplicate"},
            {"passage_id": None},
        )
    ):
        forgery.edit_line(f"attachments/items/{READING}.ndjson", lambda item, new=changes: item.update(new), index)  # type: ignore[misc]
    forgery.save()
    rows = of_axis(read("items", root, WHOLE), READING)
    scores = score_axis(load_run(root, WHOLE), "reading")[READING]
    assert [(row["item_id"], row["score"], row["outcome"], row["cluster"]) for row in rows] == [
        (one.item_id, one.score, one.outcome, one.cluster) for one in scores
    ]
    assert {row["reason"] for row in rows if row["outcome"] == "excluded"} == {"a duplicate"}
    assert sum(row["cluster"] == "group:a0" for row in rows) == 2


def test_a_row_says_what_its_record_says(root: Path) -> None:
    rows = {(row["axis"], row["item_id"]): row for row in read("items", root, WHOLE)}
    for axis_key in ("reading.en", "facts.en"):
        for line, record in load_run(root, WHOLE).records(axis_key):
            row = rows[axis_key.partition(".")[0], record["item_id"]]
            assert row["record_sha256"] == line.sha256
            for name in ("chosen", "values", "answer", "finish", "generated_tokens", "raw_sha256", "reason"):
                assert row[name] == record.get(name)


def test_a_record_without_an_item_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    make_sealed_run(root)
    forgery = Forgery(root)
    path = f"attachments/items/{READING}.ndjson"
    forgery.write_lines(path, forgery.read_lines(path)[1:])
    forgery.save()
    with pytest.raises(FramesError, match="a record has no item"):
        frames.items(root, WHOLE)


@pytest.mark.parametrize(
    ("gold", "index", "references"),
    [([2], 2, None), ([1, 2], None, None), (["8", "eight"], None, ["8", "eight"]), ([], None, None)],
)
def test_the_key_of_an_imported_item_is_one_position_or_texts(
    gold: list[Any], index: int | None, references: list[str] | None
) -> None:
    record: Any = {"item_id": "en/1", "content_sha256": "0" * 64, "gold": gold, "samples": []}
    stated = state_record(Line(1, 0, 2, "0" * 64), record)
    assert (stated["answer_index"], stated["references"]) == (index, references)


def test_memory_does_not_grow_with_the_texts_of_the_items(tmp_path: Path) -> None:
    axis = make_axis("reading", "en")
    long = {**axis, "prompt_template": "{passage} " + "x" * 100_000}
    run = make_sealed_run(tmp_path / "babel-data", axes=[long], count=200)  # type: ignore[list-item]
    size = sum(entry["bytes"] for entry in run.manifest["files"])
    tracemalloc.start()
    try:
        assert sum(1 for _ in list_item_rows(run)) == 200
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 20_000_000
    assert peak < 6_000_000
