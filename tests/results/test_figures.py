import pytest

from benchproof.results import (
    count_things,
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
    assert (count_things(1, "axis", "axes"), count_things(2, "axis", "axes")) == ("1 axis", "2 axes")
