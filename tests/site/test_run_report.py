"""The report of a real sealed run."""

from pathlib import Path

import pytest

from archive.samples import make_axis
from benchproof.archive import load_run
from benchproof.models import open_model
from benchproof.proof import prove_run
from benchproof.site import render_run_report
from proof.page import Page, read_page
from proof.sealed_runs import RUN_ID, ScriptedModel, make_sealed_run


def render(root: Path, **options: int) -> str:
    proven = prove_run(root, RUN_ID)
    assert proven.run is not None
    return render_run_report(
        proven.run,
        proven.sheet,
        proven.proof,
        built="2026-11-30T21:30:00Z",
        version="0.1.0",
        **options,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "babel-data"


def _items(page: Page) -> list[str]:
    return [element.text for element in page.of_class("item")]


def test_every_item_and_number_of_the_run_is_on_the_page(root: Path) -> None:
    make_sealed_run(root)
    page = read_page(render(root))
    assert len(page.of_class("item")) == 36
    sheet = prove_run(root, RUN_ID).sheet
    assert sheet is not None
    codes = {element.text for element in page.all("code")}
    assert {number["tag"] for number in sheet["numbers"]} <= codes
    assert not page.of_class("bad")


def test_an_item_shows_prompt_candidates_offsets_and_digests(root: Path) -> None:
    make_sealed_run(root)
    item = next(text for text in _items(read_page(render(root))) if "en/q95" in text)
    for part in ("A café told us 2 things.", " It is not 4.", "nat / bytes", "raw/reading.en.ndjson @ 3,984", "sha256"):
        assert part in item


def test_an_answer_shows_its_references_and_its_line_feed(root: Path) -> None:
    make_sealed_run(root)
    facts = [text for text in _items(read_page(render(root))) if "raw/facts.en.ndjson" in text]
    assert len(facts) == 12
    assert all("References" in text and "⏎" in text for text in facts)


def test_the_page_holds_no_text_that_may_not_be_published(root: Path) -> None:
    axis = make_axis("reading", "en")
    axis["dataset"]["publish_items"] = False
    make_sealed_run(root, axes=[axis])
    html = render(root)
    assert "café" not in html
    assert "Nobody knows" not in html
    assert len(read_page(html).of_class("item")) == 12


def test_a_broken_run_gets_a_page_without_a_number_or_an_item(root: Path) -> None:
    run = make_sealed_run(root)
    file = run.path / "raw/reading.en.ndjson"
    file.write_bytes(file.read_bytes().replace(b"-1", b"-2", 1))
    page = read_page(render(root))
    assert not page.of_class("item")
    assert not page.of_class("numbers")
    (banner,) = [element for element in page.of_class("banner") if element.attributes.get("role") == "alert"]
    assert "raw/reading.en.ndjson" in banner.text


def test_failed_items_say_why(root: Path) -> None:
    make_sealed_run(root, ScriptedModel(silent_on="What is 4?"))
    failed = [text for text in _items(read_page(render(root))) if "the model said nothing" in text]
    assert len(failed) == 3
    assert all("not scored" in text for text in failed)


def test_a_control_is_marked_as_synthetic(root: Path, tmp_path: Path) -> None:
    make_sealed_run(root, open_model("control:empty", cache_dir=tmp_path))
    page = read_page(render(root))
    assert any("Synthetic." in element.text for element in page.of_class("note"))
    assert any("A tie:" in text for text in _items(page))


def test_a_reference_from_outside_is_counted(root: Path) -> None:
    make_sealed_run(root)
    assert "with 1 outside reference" in render(root, compared_with=1)
    assert "compared with no outside reference" not in render(root, compared_with=1)


def test_the_same_run_gives_the_same_page(root: Path) -> None:
    make_sealed_run(root)
    assert render(root) == render(root)
    assert load_run(root, RUN_ID).sha256 in render(root)
