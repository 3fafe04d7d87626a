import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.results import draw_grid, measure_width, pad_left, pad_right, wrap_text
from benchproof.results.layout import part_columns

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
