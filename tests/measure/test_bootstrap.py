"""Cluster bootstrap against scipy.stats.bootstrap, the binomial distribution, and itself on other machines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from benchproof.measure import MeasureError, cluster_bootstrap, resample_means
from benchproof.measure.bootstrap import BootstrapKind
from benchproof.measure.draws import draw_counts, draw_signs, list_signs, snap_to_grid

KINDS: tuple[BootstrapKind, ...] = ("percentile", "bca")
RNG = np.random.default_rng(20261130)
SIZES = RNG.integers(1, 6, size=25)
CLUSTERS = np.repeat(np.arange(25), SIZES).tolist()
SCORES = np.clip(np.repeat(RNG.beta(2, 1, size=25), SIZES) + RNG.normal(0, 0.1, SIZES.sum()), 0, 1).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_scipy_resampling_clusters_gives_the_same_bounds(kind: BootstrapKind) -> None:
    sums = np.bincount(CLUSTERS, weights=SCORES)

    def ratio(picked: NDArray[np.int64], axis: int = -1) -> NDArray[np.float64]:
        return np.asarray(sums[picked].sum(axis=axis) / SIZES[picked].sum(axis=axis))

    reference = stats.bootstrap(
        np.arange(25)[None, :], ratio, n_resamples=40_000, method=kind, rng=np.random.default_rng(1), vectorized=True
    ).confidence_interval
    ours = cluster_bootstrap(SCORES, CLUSTERS, seed=3, resamples=40_000, kind=kind)
    assert (ours.lower, ours.upper) == pytest.approx((reference.low, reference.high), abs=4e-3)
    assert ours.method == f"{kind} bootstrap, B = 40000, seed 3"
    assert (ours.seed, ours.resamples, ours.clusters) == (3, 40_000, 25)


def test_the_same_seed_gives_the_same_bits_and_another_seed_other_ones() -> None:
    one = cluster_bootstrap(SCORES, CLUSTERS, seed=7, resamples=500)
    assert one == cluster_bootstrap(SCORES, CLUSTERS, seed=7, resamples=500)
    assert one.lower != cluster_bootstrap(SCORES, CLUSTERS, seed=8, resamples=500).lower


def test_draws_are_pinned_for_every_machine() -> None:
    """numpy promises the raw stream of PCG64; a change here would change printed intervals."""
    assert next(draw_counts(5, 2, 0)).tolist() == [[2.0, 1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 2.0, 2.0]]
    assert next(draw_signs(5, 2, 0)).tolist() == [[-1.0, 1.0, -1.0, 1.0, 1.0], [-1.0, -1.0, 1.0, -1.0, -1.0]]


def test_columns_share_their_draws_whether_alone_or_together() -> None:
    sums = np.stack([np.bincount(CLUSTERS, weights=SCORES), SIZES / 2.0], axis=1)
    sizes = np.stack([SIZES, SIZES], axis=1).astype(np.float64)
    together = resample_means(sums, sizes, seed=5, resamples=300)
    alone = resample_means(sums[:, :1], sizes[:, :1], seed=5, resamples=300)
    assert np.array_equal(together[:, :1], alone)
    assert together[:, 1] == pytest.approx(0.5)


def test_a_resample_that_holds_nothing_of_a_column_is_no_number() -> None:
    sums, sizes = np.array([[1.0], [0.0]]), np.array([[1.0], [0.0]])
    means = resample_means(sums, sizes, seed=0, resamples=100)
    assert np.isnan(means).any()
    assert set(means[~np.isnan(means)].tolist()) == {1.0}


def test_sums_on_the_grid_do_not_depend_on_the_order_of_adding() -> None:
    values = RNG.normal(0, 1, 1000)
    snapped = snap_to_grid(values, float(np.abs(values).sum()))
    assert float(np.cumsum(snapped)[-1]) == float(np.cumsum(snapped[::-1])[-1]) == float(snapped.sum())
    assert np.abs(snapped - values).max() < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_binary_scores_of_single_item_clusters_are_taken_exactly(kind: BootstrapKind) -> None:
    scores = [1.0] * 14 + [0.0] * 26
    exact = cluster_bootstrap(scores, range(40), seed=0, kind=kind)
    assert (exact.seed, exact.resamples) == (None, None)
    assert exact.method == f"{kind} bootstrap, exact binomial"
    assert exact.lower is not None
    assert exact.lower * 40 == round(exact.lower * 40)
    reference = stats.bootstrap(
        np.array([scores]), np.mean, n_resamples=40_000, method=kind, rng=np.random.default_rng(1)
    ).confidence_interval
    assert (exact.lower, exact.upper) == pytest.approx((reference.low, reference.high), abs=1.01 / 40)


def test_percentile_bounds_of_an_exact_bootstrap_are_binomial_quantiles() -> None:
    exact = cluster_bootstrap([1.0] * 14 + [0.0] * 26, range(40), seed=0)
    expected = [float(stats.binom.ppf(p, 40, 14 / 40)) / 40 for p in (0.025, 0.975)]
    assert [exact.lower, exact.upper] == expected


def test_binary_scores_of_shared_passages_are_not_binomial() -> None:
    scores = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    assert cluster_bootstrap(scores, [0, 0, 1, 1, 2, 2, 3, 3], seed=0, resamples=200).resamples == 200


@pytest.mark.parametrize(
    ("scores", "clusters", "reason"),
    [
        ([1.0] * 5, [0, 1, 2, 3, 4], "every resample has the same mean"),
        ([1.0, 0.0, 0.0, 1.0], [0, 0, 1, 1], "every resample has the same mean"),
        ([1.0, 0.0], [0, 0], "one cluster"),
        ([], [], "no scores"),
    ],
)
def test_a_bootstrap_without_spread_says_so(scores: list[float], clusters: list[int], reason: str) -> None:
    result = cluster_bootstrap(scores, clusters, seed=0, kind="bca")
    assert (result.lower, result.upper, result.flags) == (None, None, ("degenerate",))
    assert result.method == f"no interval: {reason}"


def test_impossible_calls_are_refused() -> None:
    with pytest.raises(MeasureError, match="at least 100"):
        cluster_bootstrap(SCORES, CLUSTERS, seed=0, resamples=10)
    with pytest.raises(MeasureError, match="percentile or bca"):
        cluster_bootstrap(SCORES, CLUSTERS, seed=0, kind="basic")  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="one shape"):
        resample_means(np.zeros((2, 1)), np.zeros((3, 1)), seed=0, resamples=100)


@given(st.integers(1, 200), st.integers(1, 50), st.integers(0, 2**32))
def test_each_resample_draws_as_many_clusters_as_there_are(clusters: int, resamples: int, seed: int) -> None:
    counts = np.concatenate(list(draw_counts(clusters, resamples, seed)))
    assert counts.shape == (resamples, clusters)
    assert set(counts.sum(axis=1).tolist()) == {float(clusters)}


@given(st.integers(1, 130), st.integers(1, 50), st.integers(0, 2**32))
def test_signs_are_plus_or_minus_one(clusters: int, resamples: int, seed: int) -> None:
    signs = np.concatenate(list(draw_signs(clusters, resamples, seed)))
    assert signs.shape == (resamples, clusters)
    assert set(np.abs(signs).ravel().tolist()) == {1.0}


def test_large_tables_are_drawn_in_blocks_of_the_same_stream() -> None:
    blocks = list(draw_counts(300_000, 5, 1))
    assert len(blocks) > 1
    assert sum(len(block) for block in blocks) == 5


def test_every_pattern_of_signs_is_listed_once() -> None:
    assert sorted(map(tuple, list_signs(2).tolist())) == [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
