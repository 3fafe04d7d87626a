"""Holm, Benjamini–Hochberg (R's p.adjust), and Miller's sample sizes."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import Design, MeasureError, bh, detectable_difference, holm, items_needed

ps = st.lists(st.floats(0, 1), max_size=20)
# difference, power, level, standard deviation, items
STATSMODELS = [
    (0.05, 0.8, 0.95, 0.5, 618.255723201977),
    (0.02, 0.8, 0.95, 0.3, 1391.0753772044482),
    (0.03, 0.9, 0.975, 0.4, 1867.9863220338887),
    (0.1, 0.8, 0.99, 0.45, 203.22957240260052),
]


def test_r_adjusts_the_same(shared: Path) -> None:
    truths = json.loads((shared / "data/stat-truths/T10-proportion-mcnemar-padj.json").read_text())
    raw = truths["python"]["multiple"]["p"]
    assert holm(raw) == pytest.approx(truths["R"]["padj"]["holm"], abs=1e-12)
    assert bh(raw) == pytest.approx(truths["R"]["padj"]["bh"], abs=1e-12)


def test_adjusted_values_keep_the_order_they_came_in() -> None:
    assert holm([0.5, 0.01, 0.02]) == pytest.approx([0.5, 0.03, 0.04])
    assert bh([0.5, 0.01, 0.02]) == pytest.approx([0.5, 0.03, 0.03])


@given(ps)
def test_adjusting_never_makes_a_p_smaller_and_holm_is_the_stricter(values: list[float]) -> None:
    for raw, strict, loose in zip(values, holm(values), bh(values), strict=True):
        assert raw <= loose + 1e-12
        assert loose <= strict + 1e-12
        assert strict <= 1.0


def test_what_is_no_p_value_is_refused() -> None:
    for adjust in (holm, bh):
        with pytest.raises(MeasureError, match="p-value 1"):
            adjust([0.1, 1.1])


def test_the_worked_number_of_items() -> None:
    assert items_needed(0.03, Design(1 / 9)) == pytest.approx(968.9975, abs=1e-3)


def test_worked_detectable_differences() -> None:
    def sampled(repeats: int) -> Design:
        return Design(1 / 9, 1 / 6, 1 / 6, repeats, repeats)

    assert detectable_difference(198, sampled(1)) == pytest.approx(0.1327333, abs=1e-6)
    assert detectable_difference(198, sampled(10)) == pytest.approx(0.0756696, abs=1e-6)
    assert detectable_difference(1000, Design(0.3**2)) == pytest.approx(0.0265782, abs=1e-6)


@given(st.floats(0.01, 0.5), st.floats(0.01, 1), st.floats(1, 10))
def test_items_and_difference_are_each_others_inverse(difference: float, variance: float, deff: float) -> None:
    design = Design(variance, deff=deff)
    assert detectable_difference(items_needed(difference, design), design) == pytest.approx(difference)


def test_clusters_multiply_the_items_needed() -> None:
    assert items_needed(0.1, Design(0.2, deff=1.8)) == pytest.approx(1.8 * items_needed(0.1, Design(0.2)))


def test_impossible_designs_are_refused() -> None:
    with pytest.raises(MeasureError, match="difference of 0"):
        items_needed(0.0, Design(0.1))
    with pytest.raises(MeasureError, match="needs items"):
        detectable_difference(0, Design(0.1))
    with pytest.raises(MeasureError, match="at least once"):
        items_needed(0.1, Design(0.1, repeats_a=0))
    with pytest.raises(MeasureError, match="variances"):
        items_needed(0.1, Design(-0.1))


def test_one_sided_numbers_of_items_are_those_of_statsmodels() -> None:
    """``statsmodels.stats.power.normal_sample_size_one_tail(diff, power, alpha, std_null)`` of version 0.15.0."""
    for difference, power, level, sd, expected in STATSMODELS:
        found = items_needed(difference, Design(sd**2), level=level, power=power, sides=1)
        assert found == pytest.approx(expected, rel=1e-9)
        assert detectable_difference(found, Design(sd**2), level=level, power=power, sides=1) == pytest.approx(
            difference
        )
