import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import interval_apart, wilson

shares = st.integers(0, 40)


def test_newcombes_worked_interval_without_shared_items() -> None:
    """56/70 − 48/80 by method 10: 0.0524 to 0.3339 (Newcombe 1998, Table II)."""
    found = interval_apart(56 / 70, wilson(56, 70), 48 / 80, wilson(48, 80))
    assert found == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_symmetric_intervals_add_as_standard_errors_do() -> None:
    assert interval_apart(0.6, (0.57, 0.63), 0.5, (0.46, 0.54)) == pytest.approx((0.1 - 0.05, 0.1 + 0.05))


@given(shares, shares)
def test_the_other_way_round_it_is_the_mirror(one: int, other: int) -> None:
    first, second = (one / 40, wilson(one, 40)), (other / 40, wilson(other, 40))
    lower, upper = interval_apart(*first, *second)
    assert interval_apart(*second, *first) == pytest.approx((-upper, -lower))
    assert lower <= one / 40 - other / 40 + 1e-9
    assert math.isfinite(upper)
