import re
from pathlib import Path

import pytest

from benchproof.proof import ProofContents
from benchproof.site import render_proof_page
from proof.packing import make_closed_axis, pack_runs, pack_tiny
from proof.rewriting import read_members
from proof.sealed_runs import make_sealed_run


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> ProofContents:
    folder = tmp_path_factory.mktemp("page")
    make_sealed_run(folder / "babel-data", count=3)
    return pack_runs(folder / "babel-data", folder / "p.zip").contents


def test_the_page_of_a_proof_asks_the_network_for_nothing(contents: ProofContents) -> None:
    page = render_proof_page(contents)
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "<script" not in page
    assert "@import" not in page
    assert "url(" not in page


def test_every_number_stands_on_it_with_its_tag_and_denominator(contents: ProofContents) -> None:
    page = render_proof_page(contents)
    for wanted in contents.index["numbers"]:
        _run, number = contents.find_number(wanted["tag"])
        assert f"<code>{number['tag']}</code>" in page
        assert f"{number['numerator']} of {number['denominator']}" in page


def test_it_says_what_is_not_shown_and_warns_of_itself(contents: ProofContents) -> None:
    page = render_proof_page(contents)
    assert "Believe the check, not this page" in page
    assert "That nobody rewrote all of it consistently" in page


def test_the_same_contents_give_the_same_page(contents: ProofContents) -> None:
    assert render_proof_page(contents) == render_proof_page(contents)


def test_hostile_words_of_a_data_set_are_shown_and_never_obeyed(tmp_path: Path) -> None:
    hostile = '<img src=x onerror="alert(1)">\u202e'
    axis = make_closed_axis("reading", "en", publish_items=True, license="CC0-1.0", attribution=hostile)
    page = read_members(pack_tiny(tmp_path, axes=(axis,)))["index.html"].decode()
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "\u202e" not in page
