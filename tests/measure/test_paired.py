"""Paired comparisons: McNemar, sign-flip, clustered difference, equivalence."""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchproof.measure import (
    MeasureError,
    cluster_sign_flip,
    difference_interval,
    flag_interval,
    mcnemar_exact,
    mcnemar_mid_p,
    paired_difference,
    tost,
)

RNG = np.random.default_rng(7)


def test_mcnemar_matches_statsmodels_and_r(shared: Path) -> None:
    truths = json.loads((shared / "data/stat-truths/T10-proportion-mcnemar-padj.json").read_text())
    for name, row in truths["python"]["mcnemar"].items():
        b, c = (int(part.split("=")[1]) for part in name.split(","))
        assert mcnemar_exact(b, c) == pytest.approx(row["exact_p"], rel=1e-9), name
        assert mcnemar_mid_p(b, c) == pytest.approx(row["midp"], rel=1e-9), name
    assert mcnemar_exact(10, 3) == pytest.approx(truths["R"]["mcnemar_10_3"]["exact"])


def test_no_discordant_pair_is_no_evidence_and_no_nan() -> None:
    assert (mcnemar_exact(0, 0), mcnemar_mid_p(0, 0)) == (1.0, 1.0)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_the_binomial_test_of_the_discordant_pairs(b: int, c: int) -> None:
    expected = 1.0 if b + c == 0 else float(stats.binomtest(b, b + c).pvalue)
    assert mcnemar_exact(b, c) == pytest.approx(expected, rel=1e-9)
    assert mcnemar_exact(b, c) == mcnemar_exact(c, b)
    assert 0 < mcnemar_mid_p(b, c) <= mcnemar_exact(b, c)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(MeasureError):
        mcnemar_exact(-1, 3)


@given(st.integers(0, 8), st.integers(0, 8))
def test_flipping_single_items_is_mcnemar(b: int, c: int) -> None:
    differences = [1.0] * b + [-1.0] * c + [0.0] * 30
    result = cluster_sign_flip(differences, range(len(differences)))
    assert result.exact
    assert result.p == pytest.approx(mcnemar_exact(b, c), rel=1e-12)


value_in_cluster = st.tuples(st.sampled_from([-1.0, -0.5, 0.0, 0.1, 0.3, 1.0]), st.integers(0, 5))


@given(st.lists(value_in_cluster, min_size=1, max_size=20))
def test_enumeration_is_the_share_of_patterns_at_least_as_far_from_nought(items: list[tuple[float, int]]) -> None:
    differences, clusters = [value for value, _ in items], [cluster for _, cluster in items]
    sums = [math.fsum(v for v, k in items if k == label) for label in sorted(set(clusters))]
    observed = abs(math.fsum(sums))
    flips = product((1, -1), repeat=len(sums))
    patterns = [abs(sum(sign * value for sign, value in zip(signs, sums, strict=True))) for signs in flips]
    expected = sum(total >= observed - 1e-9 for total in patterns) / len(patterns)
    assert cluster_sign_flip(differences, clusters).p == expected


def test_scipy_enumerates_the_same_p() -> None:
    sums = RNG.normal(0.3, 1, 10)
    reference = stats.permutation_test(sums[None, :], np.sum, permutation_type="samples", n_resamples=1024)
    assert cluster_sign_flip(sums.tolist(), range(10)).p == pytest.approx(float(reference.pvalue))


def test_many_clusters_are_sampled_from_a_recorded_seed_and_p_is_never_nought() -> None:
    result = cluster_sign_flip([1.0] * 40, range(40), seed=4, resamples=999)
    assert (result.exact, result.seed, result.patterns) == (False, 4, 999)
    assert result.p == 1 / 1000
    assert result == cluster_sign_flip([1.0] * 40, range(40), seed=4, resamples=999)


def test_sampling_comes_close_to_mcnemar() -> None:
    differences = [1.0] * 25 + [-1.0] * 10
    result = cluster_sign_flip(differences, range(35), resamples=50_000)
    assert result.p == pytest.approx(mcnemar_exact(25, 10), abs=3e-3)


def test_sixteen_clusters_are_enumerated_and_seventeen_sampled() -> None:
    assert cluster_sign_flip([1.0] * 16, range(16)).patterns == 65_536
    assert not cluster_sign_flip([1.0] * 17, range(17)).exact


def test_equal_answers_everywhere_give_p_one() -> None:
    assert cluster_sign_flip([0.0] * 50, range(50)).p == 1.0


def test_rounding_does_not_break_a_tie_of_patterns() -> None:
    assert cluster_sign_flip([0.1, 0.2, -0.3], [0, 1, 2]).p == 1.0


def test_a_test_of_nothing_is_refused() -> None:
    with pytest.raises(MeasureError):
        cluster_sign_flip([], [])


def test_a_paired_difference_has_its_clustered_interval_and_effect_size() -> None:
    a, b = [1.0, 1.0, 0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    clusters = [0, 0, 1, 1, 2, 2]
    result = paired_difference(a, b, clusters)
    differences = [1.0, 0.0, 0.0, 1.0, 0.0, -1.0]
    assert (result.mean_a, result.mean_b, result.n) == (4 / 6, 0.5, 6)
    assert result.difference == pytest.approx(1 / 6)
    assert result.interval == flag_interval(difference_interval(differences, clusters))
    assert result.interval.flags == ("few_clusters", "low_ci")
    assert result.sd == pytest.approx(float(np.std(differences, ddof=1)))
    assert result.cohen_dz == pytest.approx(result.difference / result.sd)


def test_the_same_difference_everywhere_has_no_effect_size_and_no_interval() -> None:
    result = paired_difference([1.0] * 20, [0.0] * 20, range(20))
    assert (result.difference, result.cohen_dz, result.interval.bounds) == (1.0, None, None)
    assert result.interval.flags == ("degenerate", "low_ci")


def test_unequal_numbers_of_items_are_refused() -> None:
    with pytest.raises(MeasureError, match="same items"):
        paired_difference([1.0], [1.0, 0.0], [0])


@given(st.floats(-0.2, 0.2), st.floats(0.001, 0.2), st.floats(1, 100), st.floats(0.001, 0.3))
def test_equivalence_is_an_interval_inside_the_margin(difference: float, se: float, df: float, margin: float) -> None:
    """TOST at alpha rejects exactly when the 1 − 2·alpha interval lies inside ±margin."""
    result = tost(difference, se, df, margin)
    assert result.interval is not None
    assert result.p is not None
    if abs(result.p - 0.05) > 1e-6:
        inside = -margin < result.interval[0] and result.interval[1] < margin
        assert result.equivalent == inside


def test_equivalence_uses_two_one_sided_t_tests() -> None:
    result = tost(0.01, 0.02, 11, 0.05)
    assert result.p == pytest.approx(float(stats.t.sf((0.05 - 0.01) / 0.02, 11)))
    assert result.equivalent


@pytest.mark.parametrize("se", [None, 0.0])
def test_without_a_standard_error_equality_is_not_shown(se: float | None) -> None:
    result = tost(0.0, se, 11, 0.05)
    assert (result.p, result.equivalent, result.interval) == (None, None, None)
    assert result.reason == "no standard error"


def test_a_margin_is_above_nought() -> None:
    with pytest.raises(MeasureError, match="above 0"):
        tost(0.0, 0.1, 5, 0.0)
