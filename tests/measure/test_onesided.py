"""One-sided tests of a paired difference: Tango's printed values, laws, and error rates by simulation."""

import os

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from benchproof.measure import (
    MeanChange,
    MeasureError,
    difference_interval,
    grow,
    lower_bound,
    measure_change,
    p_above,
    p_below,
    paired_score,
    student_above,
    turn_round,
    upper_bound,
)

FULL = os.environ.get("BENCHPROOF_PROOF") == "full"
signs = st.lists(st.sampled_from([-1.0, 0.0, 0.0, 1.0]), min_size=2, max_size=24)
thresholds = st.floats(-0.9, 0.9)


def measure(differences: list[float], size: int = 1) -> MeanChange:
    return measure_change(differences, [place // size for place in range(len(differences))])


def make_flips(gains: int, losses: int, n: int) -> MeanChange:
    return measure([1.0] * gains + [-1.0] * losses + [0.0] * (n - gains - losses))


@pytest.mark.parametrize(
    ("gains", "losses", "n", "z", "printed"),
    [
        (6, 16, 161, 1.959964, (-0.1240, -0.0054)),  # Cavo 2012; R contingencytables
        (1, 7, 21, 1.959964, (-0.517, -0.026)),  # Bentur 2009; R contingencytables, ratesci
        (28, 25, 618, 1.644854, (-0.0148, 0.0247)),  # R PropCIs::scoreci.mp(25, 28, 618) at 90 %
    ],
)
def test_the_score_is_the_normal_quantile_at_the_ends_that_r_prints(
    gains: int, losses: int, n: int, z: float, printed: tuple[float, float]
) -> None:
    step = 0.5 * 10.0 ** -len(str(printed[0]).partition(".")[2])
    lower, upper = printed
    assert paired_score(gains, losses, n, lower - step) > z > paired_score(gains, losses, n, lower + step)
    assert paired_score(gains, losses, n, upper - step) > -z > paired_score(gains, losses, n, upper + step)


def test_the_score_at_no_difference_is_mcnemars() -> None:
    assert paired_score(25, 10, 100, 0.0) == pytest.approx(15 / 35**0.5)


@pytest.mark.parametrize(
    ("gains", "losses", "n", "difference"), [(-1, 0, 5, 0), (3, 3, 5, 0), (0, 0, 0, 0), (1, 1, 5, 1)]
)
def test_impossible_flips_are_refused(gains: int, losses: int, n: int, difference: float) -> None:
    with pytest.raises(MeasureError):
        paired_score(gains, losses, n, difference)


@given(signs, thresholds, thresholds, st.sampled_from([1, 2, 4]))
@example([0.0, 0.0], 0.5, 2.2e-309, 1)
def test_what_is_above_a_threshold_is_above_every_smaller_one(
    differences: list[float], one: float, other: float, size: int
) -> None:
    change = measure(differences, size)
    low, high = p_above(change, min(one, other)), p_above(change, max(one, other))
    assert (low is None) == (high is None)
    assert low is None or high is None or low <= high + 1e-12


@given(signs, thresholds, st.sampled_from([1, 2, 4]))
def test_the_two_sides_of_a_threshold_are_never_both_shown(
    differences: list[float], threshold: float, size: int
) -> None:
    change = measure(differences, size)
    above, below = p_above(change, threshold), p_below(change, threshold)
    assert above is None or below is None or above + below >= 1.0 - 1e-9


@given(signs, thresholds)
def test_turning_round_swaps_above_and_below(differences: list[float], threshold: float) -> None:
    change, turned = measure(differences), measure([-value for value in differences])
    assert p_above(change, threshold) == p_below(turned, -threshold)
    assert turn_round(turn_round(change)) == change


@given(signs, st.sampled_from([0.01, 0.05, 0.2]), st.sampled_from([1, 2, 4]))
def test_a_bound_is_where_the_test_stops_to_show(differences: list[float], alpha: float, size: int) -> None:
    change = measure(differences, size)
    bound = lower_bound(change, alpha)
    if bound is None:
        assert not change.can_tell
        return
    shown, beyond = p_above(change, bound), p_above(change, bound + 1e-6)
    assert shown is not None
    assert beyond is not None
    assert shown <= alpha < beyond


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=30), st.sampled_from([0.025, 0.05]))
def test_scores_between_right_and_wrong_have_the_bound_of_the_t_interval(values: list[float], alpha: float) -> None:
    assume(not {-1.0, 0.0, 1.0}.issuperset(values))
    change = measure(values, 2)
    assume(change.se is not None and change.se > 1e-6)
    interval = difference_interval(values, [place // 2 for place in range(len(values))], 1.0 - 2.0 * alpha)
    assert interval.bounds is not None
    assert lower_bound(change, alpha) == pytest.approx(interval.bounds[0], abs=1e-6)
    assert upper_bound(change, alpha) == pytest.approx(interval.bounds[1], abs=1e-6)


def test_with_many_flips_the_bound_is_that_of_the_t_interval_nearly() -> None:
    change = make_flips(110, 90, 1000)
    interval = difference_interval([1.0] * 110 + [-1.0] * 90 + [0.0] * 800, range(1000), 0.90)
    assert interval.bounds is not None
    assert lower_bound(change, 0.05) == pytest.approx(interval.bounds[0], abs=2e-4)


def test_one_gain_does_not_show_what_no_flip_would_not() -> None:
    """The t test alone would: its standard error is that of a single item."""
    interval = difference_interval([1.0] + [0.0] * 49, range(50), 0.90)
    assert interval.lower is not None
    assert interval.lower > -0.02
    p = p_above(make_flips(1, 0, 50), -0.02)
    assert p is not None
    assert p > 0.05


def test_items_that_all_agree_show_a_small_loss_when_there_are_enough() -> None:
    assert p_above(make_flips(0, 0, 200), -0.02) == pytest.approx(0.0217, abs=1e-3)
    assert p_above(make_flips(0, 0, 50), -0.02) == pytest.approx(0.156, abs=1e-3)


def test_clusters_that_all_agree_count_as_one_item_each() -> None:
    clustered, single = measure([0.0] * 200, size=5), make_flips(0, 0, 40)
    assert p_above(clustered, -0.02) == p_above(single, -0.02)


def test_one_cluster_shows_nothing() -> None:
    change = measure([1.0, -1.0, 0.0, 0.0], size=4)
    assert (p_above(change, -0.5), p_below(change, 0.5), lower_bound(change, 0.05)) == (None, None, None)


def test_equal_scores_in_between_show_nothing() -> None:
    assert p_above(measure([0.5] * 40), 0.0) is None


def test_clusters_are_worth_fewer_items() -> None:
    change = measure(([1.0] * 5 + [0.0] * 20 + [-1.0] * 5 + [0.0] * 20) * 4, size=5)
    assert change.deff > 3
    assert change.flips is not None
    assert change.flips.size == pytest.approx(change.n / change.deff)


def test_the_score_of_clusters_is_read_with_the_freedom_of_their_design_effect() -> None:
    change = measure([1.0] * 4 + [0.0] * 56, size=4)
    assert change.flips is not None
    assert change.flips.df == change.df
    score = paired_score(change.flips.gains, change.flips.losses, change.flips.size, -0.05)
    assert change.df is not None
    assert p_above(change, -0.05) == student_above(score, change.df)


def test_more_of_the_same_shows_more() -> None:
    change = make_flips(3, 3, 60)
    before, after = p_above(change, -0.03), p_above(grow(change, 8), -0.03)
    assert before is not None
    assert after is not None
    assert after < 0.05 < before
    assert grow(change, 8).n == 480


def draw_differences(
    rng: np.random.Generator, clusters: int, size: int, losses: float, gains: float, like: float
) -> list[float]:
    """Signed flips; with probability ``like`` two items of a cluster have a common draw."""
    rates = [losses, 1.0 - losses - gains, gains]
    own = rng.choice([-1.0, 0.0, 1.0], p=rates, size=(clusters, size))
    common = rng.choice([-1.0, 0.0, 1.0], p=rates, size=(clusters, 1))
    return np.where(rng.random((clusters, size)) < like**0.5, common, own).ravel().tolist()


@pytest.mark.parametrize(
    ("clusters", "size", "margin", "gains", "like"),
    [(12, 5, 0.1, 0.05, 0.2), (40, 5, 0.02, 0.01, 0.5), (60, 1, 0.05, 0.05, 0.0), (200, 1, 0.02, 0.02, 0.0)],
)
def test_a_true_difference_on_the_margin_is_seldom_shown_to_be_off_it(
    clusters: int, size: int, margin: float, gains: float, like: float
) -> None:
    """At 5 %: neither side more often than 6.5 % (plus what chance adds to a short simulation)."""
    rounds = 5000 if FULL else 400
    rng = np.random.default_rng(20261201)
    above = below = 0
    for _ in range(rounds):
        change = measure(draw_differences(rng, clusters, size, margin + gains, gains, like), size)
        above += (p_above(change, -margin) or 1.0) <= 0.05
        below += (p_below(change, -margin) or 1.0) <= 0.05
    allowed = 0.065 + 3.0 * (0.05 * 0.95 / rounds) ** 0.5
    assert max(above, below) / rounds <= allowed
