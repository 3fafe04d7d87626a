"""Runs of other harnesses are packed as they were kept; what the packed verifier does not recompute it says."""

from pathlib import Path
from typing import Any

import pytest

from benchproof.archive import init_archive, list_runs
from benchproof.interop import import_logs
from benchproof.proof import explain, opened_intact_proof, verify_proof
from benchproof.site import render_proof_page
from interop.lm_eval_logs import ITEMS, LmEvalLog
from proof.packing import VERSION, check_apart, pack_runs
from proof.rewriting import change_sheet, read_members, rewrite


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init_archive(tmp_path / "babel-data")
    (tmp_path / "logs").mkdir()
    LmEvalLog().write(tmp_path / "logs")
    import_logs(tmp_path / "babel-data", [tmp_path / "logs"], sealed_at="2026-11-30T21:28:05Z", version=VERSION)
    return tmp_path / "babel-data"


def test_the_log_stays_home_without_a_stated_licence_and_its_figures_travel(root: Path, tmp_path: Path) -> None:
    (run,) = list_runs(root)
    pack_runs(root, tmp_path / "p.zip", run.id)
    members = read_members(tmp_path / "p.zip")
    everything = b"".join(members.values())
    for question, choices, _likelihoods in ITEMS:
        assert question.encode() not in everything
        own_words = [choice for choice in choices if not choice.isascii() or " " in choice or len(choice) > 5]
        assert [choice for choice in own_words if choice.encode() in everything] == []
    outcomes = members[f"outcomes/{run.id}/colours.und.ndjson"]
    assert b'"logprob":-1' in outcomes
    assert b'"gold"' not in outcomes
    checked = check_apart(tmp_path / "p.zip", tmp_path)
    assert checked.code == 0, checked.out
    assert "not recomputed here: colours.und: what it follows from was left out" in checked.out


def test_with_a_stated_licence_the_log_travels_and_its_numbers_are_computed_again(root: Path, tmp_path: Path) -> None:
    (run,) = list_runs(root)
    packed = pack_runs(root, tmp_path / "p.zip", run.id, stated_license="MIT")
    checked = check_apart(tmp_path / "p.zip", tmp_path)
    assert checked.code == 0, checked.out
    assert "recomputed   0 records, 2 numbers" in checked.out
    assert "not recomputed here: colours.und: whether its records follow from the other harness' log" in checked.out
    outcome = verify_proof(tmp_path / "p.zip", render_page=render_proof_page, version=VERSION)
    assert outcome.ok, outcome
    assert outcome.verification.runs[0].records_recomputed == len(ITEMS)
    with opened_intact_proof(tmp_path / "p.zip") as proof:
        assert explain(proof, packed.contents.index["numbers"][0]["tag"]).ok


def test_a_number_that_its_likelihoods_do_not_give_is_found_by_both(root: Path, tmp_path: Path) -> None:
    (run,) = list_runs(root)
    proof = tmp_path / "p.zip"
    pack_runs(root, proof, run.id, stated_license="MIT")

    def raise_it(sheet: Any) -> None:
        number = sheet["numbers"][0]
        assert number["numerator"] < number["denominator"]
        number["numerator"] += 1
        number["value"] = number["numerator"] / number["denominator"]

    rewrite(proof, lambda members: change_sheet(members, raise_it))
    checked = check_apart(proof, tmp_path)
    assert (checked.code, "its records give" in checked.out) == (1, True)
    assert not verify_proof(proof, render_page=render_proof_page, version=VERSION).ok


def test_runs_of_every_known_harness_are_packed_and_checked(shared: Path, tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    init_archive(root)
    logs = shared / "data" / "harness-logs"
    import_logs(root, [logs], sealed_at="2026-11-30T21:28:05Z", version=VERSION)
    runs = [run.id for run in list_runs(root)]
    assert len(runs) > 5
    for name, stated in (("open.zip", "MIT"), ("shut.zip", None)):
        pack_runs(root, tmp_path / name, *runs, stated_license=stated)
        checked = check_apart(tmp_path / name, tmp_path)
        assert checked.code == 0, checked.out
        assert verify_proof(tmp_path / name, render_page=render_proof_page, version=VERSION).ok
