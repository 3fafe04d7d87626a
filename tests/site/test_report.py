import base64
import hashlib
import re
from dataclasses import replace

import pytest

from benchproof.rulebook import Finding
from benchproof.site import render_report
from proof.page import Page, read_page
from proof.report_samples import (
    BIDI_ATTACK,
    RUN_SHA256,
    SCRIPT_ATTACK,
    make_answer,
    make_axis,
    make_choice,
    make_full_report,
    make_number,
    make_proof,
    make_report,
)


def render(report: object = None, **options: object) -> str:
    chosen = make_full_report() if report is None else report
    return render_report(chosen, built="2026-11-30T21:30:00Z", version="0.1.0", **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def full() -> str:
    return render()


@pytest.fixture(scope="module")
def page(full: str) -> Page:
    return read_page(full)


def test_every_element_that_opens_is_closed(page: Page) -> None:
    assert page.all("main")


def test_the_same_run_gives_the_same_bytes(full: str) -> None:
    assert render() == full


def test_the_only_script_and_style_are_the_ones_the_policy_names(page: Page) -> None:
    policy = next(
        meta.attributes["content"]
        for meta in page.all("meta")
        if meta.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    for tag in ("script", "style"):
        (element,) = page.all(tag)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_nothing_is_asked_of_the_network(page: Page) -> None:
    for element in page.elements:
        for name in ("src", "href", "srcset", "data", "action", "poster"):
            assert (element.attributes.get(name) or "#").startswith("#"), (element.tag, name)
    (style,) = page.all("style")
    assert not re.search(r"url\(|@import", style.text)


def test_no_element_carries_a_handler_or_a_style_attribute(page: Page) -> None:
    names = {name for element in page.elements for name in element.attributes}
    assert not [name for name in names if name.startswith("on") or name == "style"]


def test_hostile_text_is_shown_and_not_obeyed(page: Page) -> None:
    assert not page.all("img")
    assert any(SCRIPT_ATTACK in element.text for element in page.of_class("quoted"))


def test_hidden_characters_are_spelt_out(full: str, page: Page) -> None:
    assert not re.search("[\u202e\u2066\u200b\x00\r]", full)
    marks = {element.text for element in page.of_class("ctl")}
    assert {"U+202E", "U+2066", "U+200B", "U+0000", "U+000D"} <= marks
    titles = {element.attributes["title"] for element in page.of_class("ctl")}
    assert "RIGHT-TO-LEFT OVERRIDE" in titles


def test_a_hostile_model_name_is_escaped_everywhere() -> None:
    report = make_report()
    report.manifest["model"]["model"] = SCRIPT_ATTACK + BIDI_ATTACK
    report.manifest["bench"]["name"] = SCRIPT_ATTACK
    page = read_page(render(report))
    assert len(page.all("script")) == 1
    assert not page.all("img")


def test_item_text_says_its_language_and_direction(page: Page) -> None:
    arabic = [element for element in page.of_class("text") if element.attributes.get("lang") == "ar"]
    assert arabic
    assert {element.attributes["dir"] for element in arabic} == {"rtl"}
    english = [element for element in page.of_class("text") if element.attributes.get("lang") == "en"]
    assert {element.attributes["dir"] for element in english} == {"ltr"}


def test_a_closed_licence_keeps_every_text_off_the_page(full: str) -> None:
    assert "RAHSIA" not in full
    assert "its licence, CC-BY-NC-4.0, is not one that is known to allow it" in full
    assert "ms/rahsia-q1" in full


def test_a_data_set_that_does_not_say_publish_items_keeps_its_texts() -> None:
    trace = replace(make_choice(), prompt="SECRET prompt", headline="SECRET headline")
    html = render(make_report((make_axis(publish_items=False), [trace])))
    assert "SECRET" not in html
    assert "ice boxes" not in html
    assert "does not say publish_items: true" in html


def test_unpublished_answers_and_references_stay_off_the_page() -> None:
    trace = replace(make_answer("en/a", "SECRET answer", ("SECRET reference",)), prompt="SECRET prompt")
    html = render(make_report((make_axis("facts", publish_items=False), [trace])))
    assert "SECRET" not in html
    assert "secret" not in html


def test_a_cap_says_how_many_of_how_many_are_shown() -> None:
    items = [make_choice(f"en/q{at:03}", chosen=at % 2) for at in range(30)]
    page = read_page(render(make_report((make_axis(), items)), item_limit=7))
    assert len(page.of_class("item")) == 7
    assert any("7 of 30 items shown" in element.text for element in page.of_class("note-line"))
    labels = [" ".join(label.text.split()) for label in page.all("label")]
    assert labels == ["all 30", "right 15", "wrong 15"]


def test_no_cap_embeds_every_item() -> None:
    items = [make_choice(f"en/q{at:03}") for at in range(30)]
    page = read_page(render(make_report((make_axis(), items)), item_limit=None))
    assert len(page.of_class("item")) == 30
    assert not page.of_class("note-line")


def test_items_stand_in_the_filters_of_their_outcome(page: Page) -> None:
    classes = [element.attributes["class"] for element in page.of_class("item")]
    assert "item is-right is-tie" in classes
    assert "item is-not-scored" in classes
    assert "item is-partly" in classes


def test_every_number_shows_value_interval_denominator_and_tag(page: Page) -> None:
    row = next(element.text for element in page.all("tr") if "zicy3hzb3wmv" in element.text)
    for part in ("46.7 %", "35.4–57.9 %", "95 %, CR2, t(11), 12 clusters", "28 of 60", "all 60 planned", "low_ci"):
        assert part in row


def test_what_was_left_out_of_a_number_is_counted_by_reason() -> None:
    number = make_number(excluded={"errored": 2, "truncated": 1, "unparsed": 0}, denominator=57)
    page = read_page(render(make_report(numbers=[number])))
    assert any("planned 60, 2 errored, 1 truncated" in element.text for element in page.all("td"))


def test_a_flag_is_explained(full: str) -> None:
    assert "half-width &gt; 5 points or fewer than 10 clusters" in full


def test_a_number_without_an_interval_says_why_and_draws_none() -> None:
    number = make_number(interval=None, method="none: one cluster")
    page = read_page(render(make_report(numbers=[number])))
    assert not page.of_class("span")
    assert any("no interval none: one cluster" in " ".join(element.text.split()) for element in page.all("td"))


def test_the_page_says_what_it_does_not_say(page: Page) -> None:
    points = [element.text for element in page.all("li")]
    assert "That this model gave these answers: it was not asked again." in points
    assert any("compared with no outside reference" in point for point in points)
    assert any("no person has validated" in point for point in points)


def test_the_ladder_claims_nothing_above_recomputed(page: Page) -> None:
    steps = {
        element.text.split()[0]: element.attributes["class"]
        for element in page.all("li")
        if "class" in element.attributes
    }
    assert steps["intact"] == steps["recomputed"] == "done"
    assert steps["re-asked"] == steps["replicated"] == "open"


def test_the_word_verified_is_no_verdict_here(full: str) -> None:
    assert not re.search(r"\bverified\b", full, re.IGNORECASE)


def test_a_run_that_is_not_intact_says_so_first_and_names_the_place() -> None:
    finding = Finding("raw/reading.en.ndjson", "A001", "the file is not what was sealed")
    report = make_report(proof=make_proof(rung="broken", findings=(finding,)))
    page = read_page(render(report))
    (banner,) = [element for element in page.of_class("banner") if element.attributes.get("role") == "alert"]
    assert "raw/reading.en.ndjson" in banner.text
    assert not page.of_class("done")


@pytest.mark.parametrize(("fact", "word"), [("synthetic", "Synthetic."), ("partial", "Partial.")])
def test_a_synthetic_or_partial_run_says_so(fact: str, word: str) -> None:
    report = make_report()
    report.manifest[fact] = True  # type: ignore[literal-required]
    page = read_page(render(report))
    assert any(word in element.text for element in page.of_class("note"))


def test_the_identity_and_every_sealed_file_are_listed(page: Page) -> None:
    codes = {element.text for element in page.all("code")}
    assert RUN_SHA256 in codes
    assert "raw/reading.en.ndjson" in codes


def test_the_lines_to_reproduce_are_there(page: Page) -> None:
    lines = {element.text for element in page.of_class("command")}
    assert "benchproof why zicy3hzb3wmv --item en/ferry-q1" in lines
    assert any(line.startswith("benchproof rerun starter.smollm2") for line in lines)


def test_a_key_that_all_axes_share_stands_once(page: Page) -> None:
    rows = {cells[0]: cells[1:] for cells in _setting_rows(page)}
    assert rows["cot"] == ["none"]
    assert rows["shots"] == ["0", "3", "0", "0"]


def _setting_rows(page: Page) -> list[list[str]]:
    rows: list[list[str]] = []
    for element in page.elements:
        if element.tag == "tr":
            rows.append([])
        if element.tag in {"th", "td"} and rows:
            rows[-1].append(element.text)
    return rows


def test_a_run_without_numbers_still_has_a_page() -> None:
    assert "This run has no numbers." in render(make_report(numbers=[]))
