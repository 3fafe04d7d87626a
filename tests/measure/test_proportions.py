"""Wilson, Clopper–Pearson, Jeffreys against statsmodels and R (T10)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import MeasureError, clopper_pearson, jeffreys, wilson

Measure = Callable[[int, int], tuple[float, float]]


@pytest.mark.parametrize(
    ("name", "measure"), [("wilson", wilson), ("clopper_pearson", clopper_pearson), ("jeffreys", jeffreys)]
)
def test_statsmodels_gives_the_same_bounds(shared: Path, name: str, measure: Measure) -> None:
    truths = json.loads((shared / "data/stat-truths/T10-proportion-mcnemar-padj.json").read_text())
    for fraction, methods in truths["python"]["proportions95"].items():
        k, n = map(int, fraction.split("/"))
        assert measure(k, n) == pytest.approx(methods[name], abs=1e-9), fraction


@pytest.mark.parametrize(("name", "measure"), [("wilson", wilson), ("clopper", clopper_pearson)])
def test_r_gives_the_same_bounds(shared: Path, name: str, measure: Measure) -> None:
    truths = json.loads((shared / "data/stat-truths/T10-proportion-mcnemar-padj.json").read_text())
    for row in truths["R"]["binom"]:
        assert measure(row["k"], row["n"]) == pytest.approx(row[name], abs=1e-12)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_every_interval_holds_its_proportion_and_stays_in_the_unit_range(case: tuple[int, int], level: float) -> None:
    k, n = case
    for lower, upper in (wilson(k, n, level), clopper_pearson(k, n, level)):
        assert 0.0 <= lower <= k / n + 1e-12
        assert k / n - 1e-12 <= upper <= 1.0
        assert lower < upper


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_right_and_wrong_mirror_each_other(case: tuple[int, int]) -> None:
    k, n = case
    lower, upper = wilson(k, n)
    assert wilson(n - k, n) == pytest.approx((1 - upper, 1 - lower), abs=1e-12)


def test_an_effective_number_of_items_may_be_fractional() -> None:
    lower, upper = wilson(3.5, 7.25)
    assert 0 < lower < 3.5 / 7.25 < upper < 1


@pytest.mark.parametrize(("k", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_what_is_no_proportion_is_refused(k: int, n: int) -> None:
    for measure in (wilson, clopper_pearson, jeffreys):
        with pytest.raises(MeasureError, match="k of n"):
            measure(k, n)


def test_a_level_of_95_is_refused_with_what_was_meant() -> None:
    with pytest.raises(MeasureError, match=r"0\.95"):
        wilson(5, 10, 95)
