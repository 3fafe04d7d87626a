"""Tags (contract-archive §8)."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.scores import TagError, number_tag, read_tag, run_prefix

SHA = "ca058ab4c230c771c3e34ca930a2e4becce723955c8528b9d6435c4b52e5141e"


def make_tag(sha256: str = SHA, judgings: Sequence[dict[str, str]] = (), other: str | None = None) -> str:
    what = {
        "axis": "reading",
        "dataset": "starter/reading",
        "language": "en",
        "slice": "all",
        "metric": "choice-accuracy.byte",
        "scorer": "choice-accuracy.byte",
    }
    if other is not None:
        what[other] = "other"
    return number_tag(
        sha256,
        axis=what["axis"],
        dataset=what["dataset"],
        language=what["language"],
        slice=what["slice"],
        metric=what["metric"],
        scorer=what["scorer"],
        judgings=judgings,
    )


def test_the_first_four_characters_are_those_of_the_formats_page() -> None:
    assert run_prefix(SHA) == "zicy"


def test_a_tag_is_pinned_for_ever() -> None:
    assert make_tag() == "zicynp2gt6qt"


@pytest.mark.parametrize("key", ["axis", "dataset", "language", "slice", "metric", "scorer"])
def test_each_part_of_a_number_is_in_its_tag(key: str) -> None:
    assert make_tag(other=key)[4:] != make_tag()[4:]


def test_judgings_are_in_the_tag() -> None:
    assert make_tag(judgings=[{"id": "j", "sha256": SHA}])[4:] != make_tag()[4:]


@given(st.binary(min_size=32, max_size=32))
def test_every_tag_reads_back_in_any_case_and_with_space_around(data: bytes) -> None:
    tag = make_tag(data.hex())
    assert len(tag) == 12
    assert read_tag(f" {tag.upper()}\n") == tag
    assert tag[4:] == make_tag()[4:]


@pytest.mark.parametrize("text", ["", "zicy", "zicy3hzb3wm1", "zicy3hzb3wmvx", "zicy-3hzb3wm"])
def test_what_is_no_tag_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(TagError, match="zicy3hzb3wmv"):
        read_tag(text)
