"""Real logs of lm-eval: each number that the evidence carries is computed again and agrees."""

from pathlib import Path

import pytest

from benchproof.archive import init_archive, load_run
from benchproof.interop import ImportedLog, import_logs
from benchproof.records.score_sheet import SheetNumber
from benchproof.scores import compute_score_sheet

SEALED_AT = "2026-11-30T21:28:05Z"

GOLDEN = {
    ("xt_mcq_a", "choice-accuracy.none"): (1, 6),
    ("xt_mcq_a", "choice-accuracy.char@lm-eval"): (2, 6),
    ("xt_mcq_a", "choice-accuracy.byte@lm-eval"): (1, 6),
    ("xt_mcq_a", "choice-accuracy.mutual-info@lm-eval"): (0, 6),
    ("xt_mcq_b", "choice-accuracy.none"): (1, 4),
    ("xt_mcq_b", "choice-accuracy.char@lm-eval"): (1, 4),
    ("xt_mcq_b", "choice-accuracy.byte@lm-eval"): (0, 4),
    ("xt_mcq_b", "choice-accuracy.mutual-info@lm-eval"): (0, 4),
    ("xt_gen", "exact-match@lm-eval/strict-match"): (2, 4),
    ("xt_gen", "exact-match@lm-eval/flexible-extract"): (4, 4),
}


def take_in(folder: Path, tmp_path: Path) -> tuple[list[ImportedLog], list[SheetNumber]]:
    root = tmp_path / "archive"
    init_archive(root)
    report = import_logs(root, [folder], sealed_at=SEALED_AT, version="0.1.0")
    assert not report.refused
    numbers = [number for log in report.logs for number in compute_score_sheet(load_run(root, log.run_id))["numbers"]]
    return list(report.logs), numbers


@pytest.fixture
def golden(shared: Path) -> Path:
    return shared / "data/harness-logs/generated/lm-eval-0.4.13/run0"


def test_the_golden_run_is_computed_again_to_its_numbers(golden: Path, tmp_path: Path) -> None:
    _, numbers = take_in(golden, tmp_path)
    counted = {
        (one["axis"], one["metric"]): (one["numerator"], one["denominator"])
        for one in numbers
        if one["unit"] == "fraction"
    }
    assert counted == GOLDEN
    assert all(one["reported"]["agrees"] for one in numbers)


def test_the_golden_brier_score_is_the_logs_to_twelve_digits(golden: Path, tmp_path: Path) -> None:
    _, numbers = take_in(golden, tmp_path)
    (brier,) = (one for one in numbers if one["metric"] == "brier@lm-eval")
    assert brier["value"] == 1.01332785905
    assert brier["reported"]["value"] == 1.013327859049235
    assert brier["unit"] == "score"


def test_the_golden_tie_is_counted_and_goes_to_the_first(golden: Path, tmp_path: Path) -> None:
    _, numbers = take_in(golden, tmp_path)
    ties = {(one["axis"], one["metric"]): one["ties"] for one in numbers if one.get("ties")}
    assert ties == {
        ("xt_mcq_a", "choice-accuracy.none"): 1,
        ("xt_mcq_a", "choice-accuracy.char@lm-eval"): 1,
        ("xt_mcq_a", "choice-accuracy.byte@lm-eval"): 1,
        ("xt_mcq_a", "choice-accuracy.mutual-info@lm-eval"): 1,
    }


def test_the_golden_run_has_no_finding_but_what_it_does_not_state(golden: Path, tmp_path: Path) -> None:
    (log,), _ = take_in(golden, tmp_path)
    assert [finding.code for finding in log.findings] == ["I018"]


def test_ten_of_five_thousand_samples_are_partial_and_their_number_stays_the_logs(shared: Path, tmp_path: Path) -> None:
    logs, numbers = take_in(shared / "data/harness-logs/lm-eval", tmp_path)
    partial = {log.harness: log.partial for log in logs}
    assert partial == {"lm-eval 0.4.9.2": True, "lm-eval 0.2-0.3": False}
    (sampled,) = (one for one in numbers if one["axis"] == "math_perturbed_full")
    assert (sampled["denominator"], sampled["planned"]) == (10, 5000)
    (unsampled,) = (one for one in numbers if one["axis"] == "math_rephrased_full")
    assert unsampled["flags"] == ["as_reported"]
    assert unsampled["reported"]["value"] == 0.0004


def test_flat_legacy_files_stay_as_reported(shared: Path, tmp_path: Path) -> None:
    _, numbers = take_in(shared / "data/harness-logs/lm-eval/hellaswag-v0-res.json", tmp_path)
    values = {one["metric"]: one["value"] for one in numbers}
    assert values == {"acc@lm-eval": 0.249651463852, "acc_norm@lm-eval": 0.247560246963}
    assert {flag for one in numbers for flag in one["flags"]} == {"as_reported"}
