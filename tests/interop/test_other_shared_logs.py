"""Real logs of HELM, MTEB, lighteval and Every Eval Ever: imported as their formats allow."""

from pathlib import Path

import pytest

from benchproof.archive import init_archive, load_run
from benchproof.interop import ImportReport, import_logs
from benchproof.proof import prove_run
from benchproof.records.score_sheet import SheetNumber
from benchproof.scores import compute_score_sheet


def take_in(folder: Path, tmp_path: Path) -> tuple[ImportReport, dict[str, list[SheetNumber]]]:
    root = tmp_path / "archive"
    init_archive(root)
    report = import_logs(root, [folder], sealed_at="2026-11-30T21:28:05Z", version="0.1.0")
    assert not report.refused
    for log in report.logs:
        assert not prove_run(root, log.run_id).proof.findings
    numbers = {log.run_id: compute_score_sheet(load_run(root, log.run_id))["numbers"] for log in report.logs}
    return report, numbers


@pytest.fixture
def logs(shared: Path) -> Path:
    return shared / "data/harness-logs"


def test_helm_instances_are_judged_again_and_agree_with_its_statistics(logs: Path, tmp_path: Path) -> None:
    report, numbers = take_in(logs / "helm", tmp_path)
    assert [log.items for log in report.logs] == [10, 10]
    assert not {"I021", "I022"} & {finding.code for log in report.logs for finding in log.findings}
    everything = [number for of_run in numbers.values() for number in of_run]
    exact = [one for one in everything if one["metric"] == "exact-match@helm"]
    assert all(one["reported"]["agrees"] for one in everything)
    assert {(one["numerator"], one["denominator"]) for one in exact} == {(3, 10), (1, 9), (0, 1)}


def test_helm_splits_that_one_run_mixes_are_two_axes(logs: Path, tmp_path: Path) -> None:
    report, numbers = take_in(logs / "helm", tmp_path)
    (mixed,) = [log.run_id for log in report.logs if log.axes == 2]
    assert {one["axis"].rpartition("-")[2] for one in numbers[mixed]} == {"test", "valid"}


def test_mteb_numbers_stay_as_reported_in_their_languages(logs: Path, tmp_path: Path) -> None:
    report, numbers = take_in(logs / "mteb", tmp_path)
    everything = [number for of_run in numbers.values() for number in of_run]
    assert all("as_reported" in number["flags"] for number in everything)
    by_task = {(one["axis"], one["language"], one["metric"]): one["value"] for one in everything}
    assert by_task["BornholmBitextMining-test", "dan", "main_score@mteb"] == 0.296813216196
    assert by_task["ArEntail-test", "und", "cos_sim.accuracy@mteb"] == 0.734
    assert {finding.code for log in report.logs for finding in log.findings} == {"I018", "I023", "I038"}
    assert report.unknown == (
        "sentence-transformers__all-MiniLM-L6-v2/8b3219a92973c328a8e22fadcfa821b5dc75636a/readme.md",
    )


def test_records_with_instances_are_averaged_and_the_others_repeated(logs: Path, tmp_path: Path) -> None:
    report, numbers = take_in(logs / "every_eval_ever", tmp_path)
    assert report.unknown == ("eval.schema.json", "instance_level_eval.schema.json")
    flags = {(one["axis"], flag) for of_run in numbers.values() for one in of_run for flag in one["flags"]}
    assert ("demo-source-demo_bench-0", "as_scored") in flags
    assert ("demo-source-demo_bench-0", "differs_from_log") in flags
    assert ("IFEval-0", "as_reported") in flags


def test_lighteval_details_are_judged_again(logs: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    report, numbers = take_in(logs / "lighteval", tmp_path)
    assert {log.harness.split()[0] for log in report.logs} == {"lighteval"}
    counted = {one["metric"]: (one["numerator"], one["denominator"]) for of_run in numbers.values() for one in of_run}
    assert counted["choice-accuracy.none"] == (1, 2)
    assert "em@lighteval" in counted
