"""Scoring a run that the archive sealed."""

from pathlib import Path

import pytest

from archive.samples import SEALED_AT, answer_all, open_tiny, seal_tiny
from benchproof.archive import DamagedError, load_run, seal_run
from benchproof.canon import canonical
from benchproof.scores import compute_score_sheet, run_prefix, score_items


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "babel-data"


def test_a_sealed_run_is_scored_without_its_package(root: Path) -> None:
    run = load_run(root, seal_tiny(root, count=6).id)
    sheet = compute_score_sheet(run)
    assert sheet["of"] == {"id": run.id, "sha256": run.sha256}
    assert [(number["axis"], number["language"], number["slice"]) for number in sheet["numbers"]] == [
        ("facts", "en", "all"),
        ("facts", "en", "register=mid"),
        ("reading", "en", "all"),
        ("reading", "en", "register=mid"),
        ("reading", "ms", "all"),
        ("reading", "ms", "register=mid"),
    ]
    assert {number["tag"][:4] for number in sheet["numbers"]} == {run_prefix(run.sha256)}
    assert [scorer["slug"] for scorer in sheet["scorers"]] == ["choice-accuracy.byte", "exact-match.squad-v1.1"]


def test_a_recomputed_choice_agrees_with_the_sealed_record(root: Path) -> None:
    run = load_run(root, seal_tiny(root, count=6).id)
    records = {record["item_id"]: record for _, record in run.records("reading.en")}
    for score in score_items(run, "reading.en"):
        assert score.score == float(records[score.item_id]["correct"])
        assert score.tie == records[score.item_id]["tie"]


def test_the_same_evidence_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    once = compute_score_sheet(load_run(root, seal_tiny(root).id))
    again = compute_score_sheet(load_run(tmp_path / "other", seal_tiny(tmp_path / "other").id))
    assert canonical(once) == canonical(again)


def test_a_run_that_was_cut_counts_what_was_not_asked(root: Path) -> None:
    with open_tiny(root) as run:
        answer_all(run, limit=6)
        sealed = seal_run(run, sealed_at=SEALED_AT)
    numbers = {
        (number["axis"], number["language"]): number
        for number in compute_score_sheet(load_run(root, sealed.id))["numbers"]
        if number["slice"] == "all"
    }
    cut = numbers["reading", "ms"]
    assert (cut["denominator"], cut["planned"], cut["excluded"]["unasked"]) == (2, 4, 2)
    assert "partial" in cut["flags"]
    assert numbers["facts", "en"]["value"] is None


def test_damaged_evidence_is_not_scored(root: Path) -> None:
    sealed = seal_tiny(root)
    path = sealed.path / "records/reading.en.ndjson"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"tie":false', b'"tie":true '))
    with pytest.raises(DamagedError, match=r"records/reading\.en\.ndjson"):
        compute_score_sheet(load_run(root, sealed.id))
