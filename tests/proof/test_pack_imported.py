"""Runs of other harnesses are packed as they were kept; what the packed verifier does not recompute it says."""

from pathlib import Path

import pytest

from benchproof.archive import init_archive, list_runs
from benchproof.interop import import_logs
from benchproof.proof import explain, opened_intact_proof, verify_proof
from benchproof.site import render_proof_page
from interop.lm_eval_logs import ITEMS, LmEvalLog
from proof.packing import VERSION, check_apart, pack_runs
from proof.rewriting import read_members


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
    assert "not recomputed here: colours.und: another harness measured it" in checked.out


def test_with_a_stated_licence_the_log_travels_and_its_numbers_are_computed_again(root: Path, tmp_path: Path) -> None:
    (run,) = list_runs(root)
    packed = pack_runs(root, tmp_path / "p.zip", run.id, stated_license="MIT")
    assert check_apart(tmp_path / "p.zip", tmp_path).code == 0
    outcome = verify_proof(tmp_path / "p.zip", render_page=render_proof_page, version=VERSION)
    assert outcome.ok, outcome
    assert outcome.verification.runs[0].records_recomputed == len(ITEMS)
    with opened_intact_proof(tmp_path / "p.zip") as proof:
        assert explain(proof, packed.contents.index["numbers"][0]["tag"]).ok
