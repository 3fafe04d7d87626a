"""What an import keeps, refuses and repeats, whatever the format."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchproof.archive import init_archive, list_runs, load_run, verify_run
from benchproof.interop import ChangedLogError, ImportReport, NoLogError, import_logs
from benchproof.interop.detection import Detection, detect_logs
from benchproof.interop.log_files import LogFile
from benchproof.proof import prove_run
from benchproof.scores import compute_score_sheet
from interop.lm_eval_logs import LmEvalLog, use_answers

SEALED_AT = "2026-11-30T21:28:05Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init_archive(tmp_path / "archive")
    return tmp_path / "archive"


def take_in(root: Path, *paths: Path) -> ImportReport:
    return import_logs(root, paths, sealed_at=SEALED_AT, version="0.1.0")


def test_the_original_bytes_are_kept_unchanged(root: Path, tmp_path: Path) -> None:
    folder = LmEvalLog().write(tmp_path / "log")
    (log,) = take_in(root, tmp_path / "log").logs
    kept = {path.name: path.read_bytes() for path in (root / "runs" / log.run_id / "raw").rglob("*") if path.is_file()}
    assert kept == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_importing_twice_changes_nothing(root: Path, tmp_path: Path) -> None:
    LmEvalLog().write(tmp_path / "log")
    first = take_in(root, tmp_path / "log").logs
    second = take_in(root, tmp_path / "log").logs
    assert [log.is_new for log in (*first, *second)] == [True, False]
    assert first[0].sha256 == second[0].sha256
    assert len(list_runs(root)) == 1


def test_the_same_log_elsewhere_is_the_same_run(root: Path, tmp_path: Path) -> None:
    LmEvalLog().write(tmp_path / "here")
    folder = LmEvalLog().write(tmp_path / "there" / "deeper")
    take_in(root, tmp_path / "here")
    (log,) = take_in(root, folder).logs
    assert not log.is_new


def test_an_import_of_nothing_is_a_failure(root: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoLogError, match="no file is a log of a known format"):
        take_in(root, tmp_path / "empty")


def test_a_format_is_told_by_content_whatever_the_name(root: Path, tmp_path: Path) -> None:
    folder = LmEvalLog().write(tmp_path / "log")
    (results,) = folder.glob("results_*")
    results.rename(folder / "notes.txt")
    report = take_in(root, tmp_path / "log")
    assert [log.format for log in report.logs] == ["lm-eval"]


def test_files_of_no_format_are_named_and_left(root: Path, tmp_path: Path) -> None:
    LmEvalLog().write(tmp_path / "log")
    (tmp_path / "log" / "readme.md").write_text("hello", "utf-8")
    assert take_in(root, tmp_path / "log").unknown == ("readme.md",)


def test_links_and_special_files_are_not_followed(root: Path, tmp_path: Path) -> None:
    LmEvalLog().write(tmp_path / "log")
    (tmp_path / "log" / "link.jsonl").symlink_to("/etc/passwd")
    (tmp_path / "log" / "folder").symlink_to("/etc")
    os.mkfifo(tmp_path / "log" / "pipe")
    skipped = {one.name for one in take_in(root, tmp_path / "log").skipped}
    assert skipped == {"link.jsonl", "folder", "pipe"}


def test_hostile_names_are_kept_under_portable_ones(root: Path, tmp_path: Path) -> None:
    folder = LmEvalLog(task="a|b:c").write(tmp_path / "log")
    assert any("|" in path.name for path in folder.iterdir())
    (log,) = take_in(root, tmp_path / "log").logs
    assert not verify_run(root, log.run_id).findings
    assert load_run(root, log.run_id).axis_keys == ("a-b-c.und",)


def test_tasks_that_differ_by_letter_case_stay_two_axes(root: Path, tmp_path: Path) -> None:
    log = LmEvalLog()
    for table in ("results", "configs", "versions", "n-shot", "n-samples"):
        log.results[table]["COLOURS"] = log.results[table]["colours"]
    log.write(tmp_path / "log")
    (taken,) = take_in(root, tmp_path / "log").logs
    assert taken.axes == 2
    assert not verify_run(root, taken.run_id).findings


def test_records_that_were_altered_with_their_digests_do_not_follow_from_the_log(root: Path, tmp_path: Path) -> None:
    from archive.forging import Forgery

    LmEvalLog().write(tmp_path / "log")
    (log,) = take_in(root, tmp_path / "log").logs
    forgery = Forgery(root)
    forgery.edit_line("records/colours.und.ndjson", lambda record: record.update(gold=[2]))
    forgery.save()
    assert not verify_run(root, log.run_id).findings
    proof = prove_run(root, log.run_id).proof
    assert {finding.code for finding in proof.findings} == {"I001"}
    assert (proof.rung, proof.exit_code) == ("intact", 1)


def test_numbers_of_an_unread_model_revision_are_unknown_not_empty(root: Path, tmp_path: Path) -> None:
    log = LmEvalLog()
    log.results["config"] |= {"model_sha": "", "model_revision": "main"}
    log.write(tmp_path / "log")
    (taken,) = take_in(root, tmp_path / "log").logs
    manifest = load_run(root, taken.run_id).manifest
    assert manifest["model"]["revision"] == "unknown"
    assert manifest["environment"]["caller_git"] == "1f84a09f"
    assert "start_time" not in json.dumps(manifest)


def test_a_torn_last_line_is_imported_as_partial(root: Path, tmp_path: Path) -> None:
    log = LmEvalLog()
    log.write(tmp_path / "log")
    path = log.samples_path(tmp_path / "log")
    path.write_bytes(path.read_bytes()[:-100])
    (taken,) = take_in(root, tmp_path / "log").logs
    assert (taken.partial, taken.items) == (True, 3)
    number = compute_score_sheet(load_run(root, taken.run_id))["numbers"][0]
    assert (number["denominator"], number["planned"], number["excluded"]["unasked"]) == (3, 4, 1)


def test_two_filters_of_one_answer_are_one_item(root: Path, tmp_path: Path) -> None:
    log = LmEvalLog()
    use_answers(log, ["4", "15", "x", "9"], filters=("strict", "loose"))
    log.write(tmp_path / "log")
    (taken,) = take_in(root, tmp_path / "log").logs
    assert taken.items == 4
    numbers = compute_score_sheet(load_run(root, taken.run_id))["numbers"]
    assert {number["metric"]: number["numerator"] for number in numbers} == {
        "exact-match@lm-eval/strict": 3,
        "exact-match@lm-eval/loose": 3,
    }


def test_a_byte_order_mark_and_carriage_returns_are_read(root: Path, tmp_path: Path) -> None:
    log = LmEvalLog()
    log.write(tmp_path / "log")
    path = log.samples_path(tmp_path / "log")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (taken,) = take_in(root, tmp_path / "log").logs
    assert taken.items == 4


def test_deep_nesting_and_duplicate_keys_are_refused_by_line(root: Path, tmp_path: Path) -> None:
    log = LmEvalLog()
    log.write(tmp_path / "log")
    path = log.samples_path(tmp_path / "log")
    lines = path.read_bytes().splitlines(keepends=True)
    deep = b'{"doc_id": 9, "doc": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    twice = lines[1].replace(b'"target"', b'"doc_id"', 1)
    path.write_bytes(lines[0] + deep + twice + b"".join(lines[2:]))
    (taken,) = take_in(root, tmp_path / "log").logs
    assert taken.items == 3
    assert [finding.got for finding in taken.findings if finding.code == "I005"] == ["line 2", "line 3"]


def test_a_log_that_grows_while_it_is_imported_is_refused_whole(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LmEvalLog()
    log.write(tmp_path / "log")
    path = log.samples_path(tmp_path / "log")

    def detect_and_grow(files: Sequence[LogFile]) -> Detection:
        detection = detect_logs(files)
        path.write_bytes(path.read_bytes() + b'{"doc_id": 4')
        return detection

    monkeypatch.setattr("benchproof.interop.importing.detect_logs", detect_and_grow)
    (refused,) = take_in(root, tmp_path / "log").refused
    assert isinstance(refused.error, ChangedLogError)
    assert list_runs(root) == []
    assert list((root / ".staging").iterdir()) == []
