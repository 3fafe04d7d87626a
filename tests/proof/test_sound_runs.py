"""No number is printed of records that do not follow from their raw lines, however well the manifest fits them."""

from pathlib import Path
from typing import Any

import pytest

from archive.forging import READING, Forgery
from benchproof.archive import HandleError, verify_run
from benchproof.cli import main
from benchproof.errors import ExitCode
from benchproof.proof import NotIntactError, require_sound
from proof.sealed_runs import RUN_ID, make_sealed_run

OTHER_ID = "tiny.other.20261130T213000Z.11aa"


def claim_the_right_choice(record: dict[str, Any]) -> None:
    for index, candidate in enumerate(record["candidates"]):
        candidate["logprob"] = -1.0 if index == record["answer_index"] else -90.0
    record["values"] = [one["logprob"] / one["utf8_bytes"] for one in record["candidates"]]
    record["chosen"], record["correct"], record["tie"] = record["answer_index"], True, False


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    root = tmp_path / "babel-data"
    make_sealed_run(root)
    forgery = Forgery(root)
    path = f"records/{READING}.ndjson"
    lines = forgery.read_lines(path)
    for line in lines:
        if line["outcome"] == "answered":
            claim_the_right_choice(line)
    forgery.write_lines(path, lines)
    forgery.save()
    make_sealed_run(root, run_id=OTHER_ID)
    return root


def test_a_run_of_forged_records_has_fitting_digests_and_no_number(forged: Path) -> None:
    assert {finding.code for finding in verify_run(forged, RUN_ID).findings} == {"A040"}
    with pytest.raises(
        NotIntactError, match=f"runs/{RUN_ID}: no number of this run can be recomputed.* A040 "
    ) as caught:
        require_sound(forged, RUN_ID)
    assert caught.value.exit_code is ExitCode.NO
    assert f"benchproof verify {RUN_ID}" in str(caught.value)


def test_a_sound_run_comes_with_its_numbers(forged: Path) -> None:
    run, sheet, _compared = require_sound(forged, OTHER_ID)
    assert (run.id, len(sheet["numbers"])) == (OTHER_ID, 6)


def test_a_handle_of_nothing_is_no_verdict_on_a_run(forged: Path) -> None:
    with pytest.raises(HandleError):
        require_sound(forged, "nothing")


@pytest.mark.parametrize("call", [["score", RUN_ID], ["score", RUN_ID, "--summary"], ["score", RUN_ID, "--json"]])
def test_score_prints_nothing_of_forged_records_and_keeps_no_sheet(
    forged: Path, call: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, "--archive", str(forged)]) == ExitCode.NO
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "A040" in printed.err
    assert not (forged / "derived" / "scores" / RUN_ID).exists()


@pytest.mark.parametrize("runs", [[RUN_ID, OTHER_ID], [OTHER_ID, RUN_ID]])
def test_compare_prints_no_difference_to_forged_records(
    forged: Path, runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *runs, "--archive", str(forged)]) == ExitCode.NO
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "A040" in printed.err


def test_a_file_that_is_missing_is_a_verdict_too(forged: Path) -> None:
    (forged / "runs" / OTHER_ID / f"raw/{READING}.ndjson").unlink()
    with pytest.raises(NotIntactError, match="A020"):
        require_sound(forged, OTHER_ID)
