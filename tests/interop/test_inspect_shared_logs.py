"""Real logs of Inspect, 0.3.41 to 0.3.285: each imports as its format allows, and what its items give agrees."""

from pathlib import Path

import pytest

from benchproof.archive import init_archive, load_run
from benchproof.interop import ImportedLog, import_logs
from benchproof.records.score_sheet import SheetNumber
from benchproof.scores import compute_score_sheet

SEALED_AT = "2026-11-30T21:28:05Z"

# File: metric, value over the recorded items, scored, planned, partial, what the log states, codes beside I018.
EXPECTED: dict[str, tuple[str, float | None, int, int, bool, float, set[str]]] = {
    "2025-05-12T20-28-13-04-00_no-samples.json": ("match@inspect", None, 0, 3, True, 2 / 3, {"I007", "I029"}),
    "2025-05-12T20-28-13-04-00_popularity.json": ("match@inspect", 2 / 3, 3, 3, False, 2 / 3, {"I006", "I029"}),
    "data_arc_qwen.json": ("choice@inspect", 1 / 3, 3, 3, False, 1 / 3, {"I006"}),
    "data_cvebench_empty_choices.json": (
        "check_exploit.mean@inspect", None, 0, 80, True, 55 / 78, {"I007", "I013"},
    ),
    "data_intercode_ctf_local_path.json": ("includes@inspect", 0.0, 1, 79, True, 28 / 79, {"I007"}),
    "data_pubmedqa_gpt4o_mini.json": ("choice@inspect", 1.0, 2, 2, False, 1.0, {"I006"}),
    "log_formats.eval": ("match@inspect", 0.0, 1, 1, False, 0.0, {"I006"}),
    "log_formats.json": ("match@inspect", 0.0, 1, 1, False, 0.0, {"I006"}),
    "log_message_deduplication.eval": ("closeness_log.accuracy@inspect", 0.0, 1, 1, False, 0.0, set()),
    "log_read_sample.eval": ("match@inspect", 1.0, 1, 1, False, 1.0, {"I006"}),
    "log_streaming.eval": ("match@inspect", 0.75, 2, 2, False, 0.75, {"I006"}),
    "log_tool_call_error.json": ("includes@inspect", None, 0, 1, False, 1.0, {"I014", "I044"}),
    "mmlu-no-summary-choices.eval": ("choice@inspect", 0.0, 1, 1, False, 0.0, {"I006"}),
}  # fmt: skip


def take_in(path: Path, tmp_path: Path) -> tuple[ImportedLog, list[SheetNumber]]:
    root = tmp_path / "archive"
    init_archive(root)
    report = import_logs(root, [path], sealed_at=SEALED_AT, version="0.1.0")
    (log,) = report.logs
    return log, compute_score_sheet(load_run(root, log.run_id))["numbers"]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_real_log_imports_as_its_format_allows(name: str, shared: Path, tmp_path: Path) -> None:
    metric, value, scored, planned, partial, stated, codes = EXPECTED[name]
    log, (number,) = take_in(shared / "data/harness-logs/inspect" / name, tmp_path)
    assert number["metric"] == metric
    assert number["value"] == pytest.approx(value)
    assert (number["denominator"], number["planned"], log.partial) == (scored, planned, partial)
    assert number["reported"]["value"] == pytest.approx(stated)
    assert {finding.code for finding in log.findings} == {"I018", *codes}


def test_every_real_log_is_in_the_list(shared: Path) -> None:
    assert {path.name for path in (shared / "data/harness-logs/inspect").iterdir()} == EXPECTED.keys()


@pytest.mark.parametrize("ending", ["eval", "json.gz"])
def test_the_golden_log_has_three_denominators(ending: str, shared: Path, tmp_path: Path) -> None:
    path = shared / f"data/harness-logs/generated/inspect-0.3.285/xt_mixed_outcomes.{ending}"
    log, (number,) = take_in(path, tmp_path)
    assert [(one["over"], one["n"], one["value"]) for one in number["denominators"]] == [
        ("scored", 6, 0.833333333333),
        ("scored and failed", 7, 0.714285714286),
        ("recorded", 8, 0.625),
    ]
    assert number["numerator"] == 5
    assert number["reported"]["agrees"]
    assert {finding.code for finding in log.findings} == {"I002", "I013", "I014", "I018"}


@pytest.mark.parametrize("ending", ["eval", "json.gz"])
def test_the_golden_log_is_of_a_model_that_is_none(ending: str, shared: Path, tmp_path: Path) -> None:
    path = shared / f"data/harness-logs/generated/inspect-0.3.285/xt_mixed_outcomes.{ending}"
    log, _ = take_in(path, tmp_path)
    assert load_run(tmp_path / "archive", log.run_id).manifest["synthetic"] is True


def test_the_archive_and_the_document_of_one_log_have_the_same_items(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/harness-logs/generated/inspect-0.3.285"
    found = []
    for ending in ("eval", "json.gz"):
        log, _ = take_in(folder / f"xt_mixed_outcomes.{ending}", tmp_path / ending)
        run = load_run(tmp_path / ending / "archive", log.run_id)
        found.append({record["item_id"]: record["aliases"]["id"] for _, record in run.records("xt.und")})
    assert found[0] == found[1]
    assert sorted(found[0].values()) == ["7", "a/b:c|d", "bad", "err", "lone", "nan", "ok", "unicode é日本😀"]


def test_epochs_of_one_id_are_samples_of_one_item(shared: Path, tmp_path: Path) -> None:
    log, _ = take_in(shared / "data/harness-logs/inspect/log_streaming.eval", tmp_path)
    run = load_run(tmp_path / "archive", log.run_id)
    numbers = [[sample["number"] for sample in record["samples"]] for _, record in run.records("popularity.und")]
    assert numbers == [[1, 2], [1, 2]]
