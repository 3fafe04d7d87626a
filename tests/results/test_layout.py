import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.results import draw_entries, draw_grid, label_text, measure_width, pad_left, pad_right, wrap_text
from benchproof.results.layout import NARROWEST, part_columns

WIDTHS = {
    "latin": ("model", 5),
    "CJK": ("模型", 4),
    "full-width": ("ＡＢ", 4),
    "combining": ("cafe\u0301", 4),
    "joiner": ("a\u200db", 2),
    "Hangul": ("모델", 4),
    "half-width katakana": ("ﾓﾃﾞﾙ", 4),
}


@pytest.mark.parametrize(("text", "width"), WIDTHS.values(), ids=WIDTHS.keys())
def test_widths_are_of_the_screen(text: str, width: int) -> None:
    assert measure_width(text) == width


@given(st.text(max_size=8), st.integers(0, 30))
def test_padding_reaches_the_width_on_the_screen(text: str, extra: int) -> None:
    width = measure_width(text) + extra
    assert measure_width(pad_left(text, width)) == width
    assert measure_width(pad_right(text, width)) == width


def test_columns_line_up_figures_at_their_last_character() -> None:
    assert draw_grid([["axis", "A", "tag"], ["facts.en", "46.7 %", "x"]], figures={1}) == [
        "axis           A  tag",
        "facts.en  46.7 %  x",
    ]


def test_columns_that_do_not_fit_stand_beneath_behind_the_first_one() -> None:
    rows = [["axis", "a" * 20, "b" * 20, "c" * 20], ["r.en", "1", "2", "3"]]
    assert draw_grid(rows, width=50) == [
        f"axis  {'a' * 20}  {'b' * 20}",
        "r.en  1                     2",
        f"axis  {'c' * 20}",
        "r.en  3",
    ]


@given(st.lists(st.integers(1, 60), max_size=12), st.integers(1, 100))
def test_every_column_is_in_one_band_in_order_and_bands_fit_where_they_can(widths: list[int], room: int) -> None:
    bands = part_columns(widths, room=room)
    assert [place for band in bands for place in band] == list(range(len(widths)))
    assert all(len(band) == 1 or sum(widths[place] for place in band) <= room for band in bands)


@given(st.text(alphabet="abc ,.%", max_size=300), st.integers(1, 130))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    assert " ".join(wrap_text(text, width)).split() == text.split()
    assert " ".join(wrap_text(text, width, at_entries=True)).split() == text.split()


def test_a_list_is_wrapped_at_entries_alone() -> None:
    text = f"setting: {'x' * 70}, cot none, chat template none, {'y' * 10}"
    assert wrap_text(text, at_entries=True) == [f"setting: {'x' * 70}, cot none,", f"  chat template none, {'y' * 10}"]


def test_a_sentence_that_fits_is_left_as_it_is() -> None:
    assert wrap_text("46.7 %  twice  spaced") == ["46.7 %  twice  spaced"]


RUNS = [["starter.control-first.20261201T054643Z.2f5b", "2026-12-01", "starter 0.1"], ["s.x.1", "2026-12-01", "s 0.1"]]


def test_rows_of_a_list_that_fit_line_up() -> None:
    assert draw_entries(RUNS, width=80) == draw_entries(RUNS) == draw_grid(RUNS)


def test_a_name_that_fills_the_line_stands_above_what_is_said_of_it() -> None:
    assert draw_entries(RUNS, width=60) == [
        "starter.control-first.20261201T054643Z.2f5b",
        "  2026-12-01  starter 0.1",
        "s.x.1",
        "  2026-12-01  s 0.1",
    ]


def test_what_is_said_of_a_short_name_is_wrapped_beside_it() -> None:
    rows = [["smollm2", "a small model"], ["control:echo", "takes the choice that shares most words with the prompt"]]
    assert draw_entries(rows, width=60) == [
        "smollm2       a small model",
        "control:echo  takes the choice that shares most words with",
        "              the prompt",
    ]


def test_no_list_has_lines_longer_than_the_terminal_but_for_a_name_that_is() -> None:
    for width in range(NARROWEST, 120):
        assert {len(line) for line in draw_entries(RUNS, width=width) if len(line) > width} <= {len(RUNS[0][0])}


def test_no_list_has_no_lines() -> None:
    assert draw_entries([], width=80) == []


def test_a_path_longer_than_a_line_stays_beside_its_label() -> None:
    path = "/archive/" + "x" * 80
    assert label_text("folder", path, width=60) == [f"  folder       {path}"]
    assert label_text("sheet", f"{path}: same", width=60) == [f"  sheet        {path}:", " " * 15 + "same"]
