"""CR0, CR1, CR2 and Satterthwaite's df against the general matrix formulas."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchproof.measure import MeasureError, cr1, cr2, measure_clusters, satterthwaite_df

Data = tuple[list[float], list[int]]


@st.composite
def clustered(draw: st.DrawFn, *, smallest: int = 2) -> Data:
    sizes = draw(st.lists(st.integers(1, 6), min_size=smallest, max_size=12))
    clusters = [number for number, size in enumerate(sizes) for _ in range(size)]
    score = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1, width=32))
    return draw(st.lists(score, min_size=len(clusters), max_size=len(clusters))), clusters


def solve_by_matrices(scores: list[float], clusters: list[int]) -> tuple[float, float, float]:
    """CR0, CR2 and its df of an intercept-only regression by Bell and McCaffrey's general formulas."""
    y, labels = np.array(scores), np.array(clusters)
    n = len(y)
    x = np.ones((n, 1))
    bread = np.linalg.inv(x.T @ x)
    annihilator = np.eye(n) - x @ bread @ x.T
    residuals = annihilator @ y
    meat0, meat2, columns = 0.0, 0.0, []
    for label in np.unique(labels):
        inside = labels == label
        block = annihilator[np.ix_(inside, inside)]
        values, vectors = np.linalg.eigh(block)
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        meat0 += float(residuals[inside].sum()) ** 2
        meat2 += float((x[inside].T @ root @ residuals[inside])[0]) ** 2
        columns.append((annihilator[inside].T @ root @ x[inside] @ bread)[:, 0])
    spread = np.array(columns) @ np.array(columns).T
    df = float(np.trace(spread)) ** 2 / float((spread**2).sum())
    return math.sqrt(meat0) / n, math.sqrt(meat2) / n, df


@given(clustered())
def test_the_sums_over_clusters_equal_the_matrix_formulas(data: Data) -> None:
    error = measure_clusters(*data)
    cr0_expected, cr2_expected, df_expected = solve_by_matrices(*data)
    assert error.cr0 == pytest.approx(cr0_expected, abs=1e-9)
    assert error.cr1 == pytest.approx(cr0_expected * math.sqrt(error.clusters / (error.clusters - 1)), abs=1e-9)
    assert error.cr2 == pytest.approx(cr2_expected, abs=1e-9)
    assert error.satterthwaite_df == pytest.approx(df_expected, rel=1e-9)


@given(st.integers(2, 200), st.integers(1, 9))
def test_equal_clusters_have_one_degree_of_freedom_less_than_clusters(clusters: int, size: int) -> None:
    assert satterthwaite_df([size / (clusters * size)] * clusters) == pytest.approx(clusters - 1, rel=1e-9)


@given(st.lists(st.floats(0, 1, width=32), min_size=12, max_size=12))
def test_equal_clusters_make_cr2_and_cr1_the_same(scores: list[float]) -> None:
    clusters = [number // 3 for number in range(12)]
    result = cr2(scores, clusters)
    assert result is not None
    assert result[0] == pytest.approx(cr1(scores, clusters), abs=1e-12)
    assert result[1] == pytest.approx(3)


@given(clustered())
def test_uneven_clusters_have_fewer_degrees_of_freedom(data: Data) -> None:
    error = measure_clusters(*data)
    assert error.satterthwaite_df is not None
    assert 0.99 <= error.satterthwaite_df <= error.clusters - 1 + 1e-9


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=30))
def test_single_item_clusters_give_the_textbook_standard_error(scores: list[float]) -> None:
    expected = float(np.std(scores, ddof=1)) / math.sqrt(len(scores))
    assert cr1(scores, range(len(scores))) == pytest.approx(expected, abs=1e-9)


@given(clustered(), st.randoms(use_true_random=False))
def test_the_order_of_items_changes_no_bit(data: Data, random: object) -> None:
    scores, clusters = data
    assert measure_clusters(scores, clusters) == measure_clusters(scores[::-1], clusters[::-1])


@given(clustered(smallest=3))
def test_cr2_is_unbiased_for_independent_items(data: Data) -> None:
    """Bell and McCaffrey: with independent items of variance 1 the expected CR2² is 1 / n."""
    _, clusters = data
    n = len(clusters)
    variances = []
    for item in range(n):
        result = cr2([float(item == other) for other in range(n)], clusters)
        assume(result is not None)
        assert result is not None
        variances.append(result[0] ** 2)
    assert math.fsum(variances) == pytest.approx(1 / n, rel=1e-9)


def test_one_cluster_has_no_standard_error() -> None:
    error = measure_clusters([0.0, 1.0, 1.0], ["a", "a", "a"])
    assert (error.cr1, error.cr2, error.satterthwaite_df) == (None, None, None)
    assert cr2([0.0, 1.0], ["a", "a"]) is None


def test_rounding_makes_no_spread_out_of_equal_clusters() -> None:
    assert measure_clusters([0.1, 0.2, 0.3, 0.0, 0.15, 0.15], [0, 0, 1, 1, 2, 2]).cr0 == 0.0


def test_scores_that_are_missing_or_endless_are_refused() -> None:
    with pytest.raises(MeasureError, match="at least one score"):
        measure_clusters([], [])
    with pytest.raises(MeasureError, match="finite"):
        measure_clusters([1.0, math.nan], [0, 1])
    with pytest.raises(MeasureError, match="one cluster"):
        measure_clusters([1.0, 0.0], [0])
