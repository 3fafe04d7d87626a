"""Each rule of statistics at its boundary."""

from benchproof.measure.flags import (
    s001_few_clusters,
    s002_low_ci,
    s003_degenerate,
    s004_no_interval,
    s005_beyond_range,
    s006_near_chance,
)


def test_ten_clusters_are_no_longer_few() -> None:
    assert (s001_few_clusters(9), s001_few_clusters(10)) == (True, False)


def test_an_interval_is_low_when_missing_wide_or_of_few_clusters() -> None:
    assert s002_low_ci(None, 50)
    assert s002_low_ci((0.4, 0.45), 9)
    assert s002_low_ci((0.25, 0.5), 50)
    assert not s002_low_ci((0.4, 0.45), 10)


def test_only_a_standard_error_of_nought_is_degenerate() -> None:
    assert (s003_degenerate(0.0), s003_degenerate(1e-9), s003_degenerate(None)) == (True, False, False)


def test_two_clusters_are_needed_for_an_interval() -> None:
    assert (s004_no_interval(1), s004_no_interval(2)) == (True, False)


def test_the_range_includes_its_ends() -> None:
    assert not s005_beyond_range((0.0, 1.0))
    assert not s005_beyond_range(None)
    assert s005_beyond_range((-0.01, 0.5))
    assert s005_beyond_range((0.5, 1.01))


def test_near_chance_is_judged_on_the_scale_where_guessing_is_nought() -> None:
    assert s006_near_chance(0.28, 0.25)
    assert not s006_near_chance(0.30, 0.25)
    assert s006_near_chance(0.10, 0.25)
