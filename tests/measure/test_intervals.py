"""The policy for error bars of a mean (contract-statistics, Error bars)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import Interval, MeasureError, cr1, cr2, difference_interval, mean_interval, wilson
from benchproof.measure.quantiles import student_quantile


def make_passages(rights: list[int], size: int) -> tuple[list[float], list[int]]:
    """0/1 scores: passage g has ``rights[g]`` right answers of ``size``."""
    scores = [float(number < right) for right in rights for number in range(size)]
    return scores, [passage for passage in range(len(rights)) for _ in range(size)]


def test_clusters_of_one_item_get_wilson() -> None:
    scores = [1.0] * 7 + [0.0] * 3
    interval = mean_interval(scores, range(10))
    assert interval.bounds == pytest.approx((0.3967781474611454, 0.8922087325936989), abs=1e-12)
    assert interval.method == "Wilson"
    assert interval.flags == ("low_ci",)


def test_from_forty_clusters_cr1_is_the_headline() -> None:
    scores, clusters = make_passages([1, 2] * 20, 3)
    interval = mean_interval(scores, clusters)
    error = cr1(scores, clusters)
    assert error is not None
    half = student_quantile(0.975, 39) * error
    assert interval.bounds == pytest.approx((0.5 - half, 0.5 + half), abs=1e-12)
    assert (interval.method, interval.also) == ("CR1, t(39)", ())


def test_below_forty_clusters_cr2_is_the_headline_and_cr1_stands_beside_it() -> None:
    scores, clusters = make_passages([1, 2, 3, 0, 2, 1, 1, 2, 3, 1, 0, 2], 3)
    scores, clusters = scores[:-2], clusters[:-2]
    interval = mean_interval(scores, clusters)
    result = cr2(scores, clusters)
    assert result is not None
    assert (interval.se, interval.df) == result
    assert interval.method == f"CR2, t({result[1]:.2f})"
    mean = math.fsum(scores) / len(scores)
    assert interval.lower == pytest.approx(mean - student_quantile(0.975, result[1]) * result[0])
    assert [beside["method"] for beside in interval.also] == ["CR1, t(11)"]


def test_equal_clusters_below_forty_agree_with_cr1() -> None:
    interval = mean_interval(*make_passages([1, 2, 3, 4, 5, 1, 2, 3, 0, 2, 3, 2], 5))
    assert interval.method == "CR2, t(11)"
    assert interval.also[0]["interval"] == pytest.approx([interval.lower, interval.upper])


def test_a_clustered_binary_interval_that_leaves_the_unit_range_becomes_wilson_on_n_over_deff() -> None:
    scores, clusters = make_passages([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1], 3)
    interval = mean_interval(scores, clusters)
    error = cr2(scores, clusters)
    assert error is not None
    p = 34 / 36
    deff = error[0] ** 2 / (p * (1 - p) / 36)
    assert deff > 1
    assert interval.bounds == pytest.approx(wilson(p * 36 / deff, 36 / deff))
    assert interval.method == f"Wilson, n/deff = 36/{deff:.2f} (CR2, t(11) leaves [0, 1])"
    assert [beside["method"] for beside in interval.also] == ["CR2, t(11)", "CR1, t(11)"]
    assert interval.also[0]["interval"][1] > 1


def test_a_design_effect_below_one_gives_no_more_than_n_items() -> None:
    scores, clusters = make_passages([0, 1, 0, 1, 0], 2)
    scores[1], scores[3] = 0.0, 0.0
    interval = mean_interval(scores, clusters)
    assert interval.bounds is not None
    assert interval.bounds[0] >= wilson(2, 10)[0] - 1e-12
    assert interval.bounds[1] >= wilson(2, 10)[1] - 1e-12


def test_one_cluster_has_no_interval_and_never_one_of_no_width() -> None:
    interval = mean_interval([1.0, 0.0, 1.0], ["a", "a", "a"])
    assert interval.bounds is None
    assert interval.method == "no interval: one cluster"
    assert interval.flags == ("few_clusters", "low_ci")


def test_a_single_item_has_no_interval() -> None:
    assert mean_interval([1.0], [0]).bounds is None


def test_nothing_scored_has_no_interval() -> None:
    interval = mean_interval([], [])
    assert (interval.bounds, interval.method, interval.mean) == (None, "no interval: no scores", None)


@pytest.mark.parametrize("rights", [[2] * 12, [0] * 12, [1] * 12])
def test_clusters_without_spread_get_wilson_on_the_clusters_and_say_so(rights: list[int]) -> None:
    interval = mean_interval(*make_passages(rights, 2))
    assert interval.bounds == pytest.approx(wilson(sum(rights) / 2, 12))
    assert interval.method == "Wilson, n = 12 effective clusters (no spread between clusters)"
    assert "degenerate" in interval.flags


def test_equal_scores_that_are_not_binary_get_no_interval_and_say_so() -> None:
    interval = mean_interval([0.5] * 12, range(12))
    assert interval.bounds is None
    assert interval.method == "no interval: all scores equal"
    assert interval.flags == ("degenerate", "low_ci")


def test_an_interval_of_fractions_is_not_clipped_and_says_so() -> None:
    interval = mean_interval([0.5] + [0.0] * 14, range(15))
    assert interval.lower is not None
    assert interval.lower < 0
    assert "beyond_range" in interval.flags


def test_few_clusters_are_flagged() -> None:
    assert "few_clusters" in mean_interval(*make_passages([1, 2, 1, 2, 1, 2, 0, 3, 1], 3)).flags
    assert "few_clusters" not in mean_interval(*make_passages([1, 2, 1, 2, 1, 2, 0, 3, 1, 1], 3)).flags


def test_a_narrow_interval_of_many_clusters_has_no_flag() -> None:
    assert mean_interval([1.0, 0.0] * 1000, range(2000)).flags == ()


def test_scores_outside_the_unit_range_are_refused() -> None:
    with pytest.raises(MeasureError, match=r"\[0, 1\]"):
        mean_interval([0.0, 1.5], [0, 1])


def test_differences_may_be_negative() -> None:
    interval = difference_interval([-1.0, 1.0, 0.0, -1.0], range(4))
    assert interval.bounds is not None
    assert interval.mean == -0.25
    assert interval.bounds[0] < -0.25 < interval.bounds[1]


@st.composite
def passages(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=60))
    clusters = [number for number, size in enumerate(sizes) for _ in range(size)]
    scores = draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=len(clusters), max_size=len(clusters)))
    return scores, clusters


@given(passages())
def test_a_binary_interval_has_width_holds_the_mean_and_stays_in_the_unit_range(
    data: tuple[list[float], list[int]],
) -> None:
    """Error bars: "G < 2 → interval null (never 0)", "never a silently clipped interval"."""
    scores, clusters = data
    interval = mean_interval(scores, clusters)
    if interval.clusters < 2:
        assert interval.bounds is None
        return
    assert interval.bounds is not None
    assert interval.mean == math.fsum(scores) / len(scores)
    assert -1e-12 <= interval.bounds[0] <= interval.mean + 1e-12
    assert interval.mean - 1e-12 <= interval.bounds[1] <= 1 + 1e-12
    assert interval.bounds[1] - interval.bounds[0] > 1e-3


@given(passages(), st.sampled_from([0.8, 0.9]))
def test_more_confidence_is_never_narrower(data: tuple[list[float], list[int]], level: float) -> None:
    def width(interval: Interval) -> float:
        return 0.0 if interval.bounds is None else interval.bounds[1] - interval.bounds[0]

    less, more = difference_interval(*data, level), difference_interval(*data, 0.95)
    assert width(less) <= width(more)
