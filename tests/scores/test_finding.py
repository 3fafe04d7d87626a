"""From a tag back to its run and number."""

from pathlib import Path

import pytest

from archive.samples import seal_tiny
from benchproof.archive import init_archive, load_run, save_sheet
from benchproof.canon import canonical
from benchproof.records.score_sheet import ScoreSheet
from benchproof.scores import TagError, compute_score_sheet, find_number, load_or_compute_sheet

OTHER_ID = "tiny.control.20261201T000000Z.0001"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "babel-data"


def test_every_tag_of_every_run_leads_to_its_number(root: Path) -> None:
    for sealed in (seal_tiny(root), seal_tiny(root, 6, OTHER_ID)):
        sheet = compute_score_sheet(load_run(root, sealed.id))
        for number in sheet["numbers"]:
            run, found_sheet, found = find_number(root, number["tag"])
            assert (run.id, found) == (sealed.id, number)
            assert canonical(found_sheet) == canonical(sheet)


def test_a_tag_may_be_typed_in_capitals(root: Path) -> None:
    sealed = seal_tiny(root)
    tag = compute_score_sheet(load_run(root, sealed.id))["numbers"][0]["tag"]
    assert find_number(root, tag.upper()).number["tag"] == tag


def test_only_the_run_of_the_first_four_characters_is_read(root: Path) -> None:
    """contract-archive §8: the first four find the run."""
    sealed, other = seal_tiny(root), seal_tiny(root, 6, OTHER_ID)
    tag = compute_score_sheet(load_run(root, sealed.id))["numbers"][0]["tag"]
    for path in (other.path / "records").iterdir():
        path.chmod(0o644)
        path.write_bytes(b"{")
    assert find_number(root, tag).run.id == sealed.id


def test_a_tag_of_no_run_names_the_beginnings_that_there_are(root: Path) -> None:
    sealed = seal_tiny(root)
    tag = compute_score_sheet(load_run(root, sealed.id))["numbers"][0]["tag"]
    strange = ("a" if tag[0] != "a" else "b") + tag[1:]
    with pytest.raises(TagError, match=f"no run here.*{tag[:4]}"):
        find_number(root, strange)


def test_a_tag_of_a_run_that_has_no_such_number_names_the_nearest(root: Path) -> None:
    sealed = seal_tiny(root)
    tag = compute_score_sheet(load_run(root, sealed.id))["numbers"][0]["tag"]
    strange = tag[:-1] + ("a" if tag[-1] != "a" else "b")
    with pytest.raises(TagError, match=rf"no such number.*{tag} \(facts en all exact-match"):
        find_number(root, strange)


def test_an_archive_without_runs_says_so(root: Path) -> None:
    init_archive(root)
    with pytest.raises(TagError, match="there is none"):
        find_number(root, "zicy3hzb3wmv")


def test_a_sheet_is_computed_where_none_is_saved(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    assert load_or_compute_sheet(root, run) == compute_score_sheet(run)


def change_value(sheet: ScoreSheet) -> ScoreSheet:
    first, *others = sheet["numbers"]
    return {**sheet, "numbers": [{**first, "value": 0.123}, *others]}


def test_a_saved_sheet_of_the_scorers_at_hand_is_read(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    saved = change_value(compute_score_sheet(run))
    save_sheet(root, saved)
    assert load_or_compute_sheet(root, run) == saved
    assert find_number(root, saved["numbers"][0]["tag"]).number["value"] == 0.123


def test_two_sheets_that_claim_the_same_scorers_are_not_believed(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    sheet = compute_score_sheet(run)
    save_sheet(root, sheet)
    save_sheet(root, change_value(sheet))
    assert load_or_compute_sheet(root, run) == sheet


def test_a_newer_scorer_keeps_the_tag_and_goes_first(root: Path) -> None:
    """contract-archive §8: "a newer scorer keeps the tag and why names the sheet"."""
    run = load_run(root, seal_tiny(root).id)
    sheet = compute_score_sheet(run)
    older = change_value({**sheet, "scorers": [{**scorer, "version": "0"} for scorer in sheet["scorers"]]})
    save_sheet(root, older)
    found = find_number(root, older["numbers"][0]["tag"])
    assert (found.number, found.sheet) == (sheet["numbers"][0], sheet)


def test_a_number_that_only_an_older_sheet_has_is_found_there(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    sheet = compute_score_sheet(run)
    tag = sheet["numbers"][0]["tag"]
    gone = tag[:-1] + ("a" if tag[-1] != "a" else "b")
    older: ScoreSheet = {**sheet, "scorers": [], "numbers": [{**sheet["numbers"][0], "tag": gone}]}
    save_sheet(root, older)
    assert find_number(root, gone).sheet == older


def test_a_sheet_of_another_run_under_the_same_id_is_not_believed(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    save_sheet(root, change_value({**compute_score_sheet(run), "of": {"id": run.id, "sha256": "0" * 64}}))
    assert load_or_compute_sheet(root, run) == compute_score_sheet(run)
