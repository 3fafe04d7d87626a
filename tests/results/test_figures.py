import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.results import (
    count_things,
    measure_width,
    pad_left,
    pad_right,
    show_interval,
    show_level,
    show_p,
    show_signed_points,
    show_value,
)


def test_a_fraction_is_printed_as_per_cent_with_one_decimal() -> None:
    assert show_value(0.466666666667, "fraction") == "46.7 %"


def test_another_unit_is_named() -> None:
    assert show_value(-1.23456, "nat") == "−1.235 nat"


def test_no_score_is_not_a_zero() -> None:
    assert show_value(None, "fraction") == "no score"
    assert show_value(0.0, "fraction") == "0.0 %"


def test_an_interval_has_an_en_dash() -> None:
    assert show_interval((0.353872616592, 0.579460716741), "fraction") == "35.4–57.9"


def test_an_interval_below_zero_is_written_with_a_word() -> None:
    assert show_interval((-0.02, 0.1), "fraction") == "−2.0 to 10.0"


def test_a_missing_interval_is_said() -> None:
    assert show_interval(None, "fraction") == "no interval"


@pytest.mark.parametrize(
    ("difference", "text"), [(0.1666, "+16.7"), (-0.1666, "−16.7"), (0.0, "0.0"), (0.0001, "0.0"), (-0.0001, "0.0")]
)
def test_a_difference_has_a_sign_unless_it_prints_as_zero(difference: float, text: str) -> None:
    assert show_signed_points(difference) == text


def test_small_p_values_are_bounded_not_rounded_to_zero() -> None:
    assert (show_p(0.00002), show_p(0.0123), show_p(1.0)) == ("< 0.001", "0.012", "1.000")


def test_levels_and_counts() -> None:
    assert (show_level(0.95), show_level(0.999)) == ("95 %", "99.9 %")
    assert (count_things(1, "item"), count_things(1200, "item")) == ("1 item", "1,200 items")


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
