"""Quantiles against scipy.stats, which the package itself never loads."""

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchproof.measure import normal_quantile, student_above, student_quantile
from benchproof.measure.quantiles import beta_quantile, binomial_below, binomial_quantile, normal_below

probability = st.floats(1e-6, 1 - 1e-6)


@given(probability, st.floats(1, 500))
def test_student_quantiles_with_fractional_df(p: float, df: float) -> None:
    assert student_quantile(p, df) == pytest.approx(float(stats.t.ppf(p, df)), rel=1e-9, abs=1e-9)
    assert student_above(student_quantile(p, df), df) == pytest.approx(1 - p, abs=1e-10)


@given(probability)
def test_normal_quantiles(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(float(stats.norm.ppf(p)), rel=1e-12, abs=1e-12)
    assert normal_below(normal_quantile(p)) == pytest.approx(p, rel=1e-9)


def test_normal_quantiles_at_the_ends_are_endless() -> None:
    assert (normal_quantile(0.0), normal_quantile(1.0)) == (-math.inf, math.inf)


@given(probability, st.integers(1, 60), st.integers(1, 60))
def test_beta_quantiles(p: float, a: int, b: int) -> None:
    assert beta_quantile(p, a, b) == pytest.approx(float(stats.beta.ppf(p, a, b)), rel=1e-9)


@given(probability, st.integers(1, 200), st.floats(0.01, 0.99))
def test_binomial_quantile_is_the_first_count_that_reaches_the_probability(p: float, n: int, chance: float) -> None:
    k = binomial_quantile(p, n, chance)
    assert binomial_below(k, n, chance) >= p
    assert k == 0 or binomial_below(k - 1, n, chance) < p
    assert binomial_below(k, n, chance) == pytest.approx(float(stats.binom.cdf(k, n, chance)), rel=1e-9)


def test_a_count_is_never_below_nought_and_always_at_most_n() -> None:
    assert (binomial_below(-1, 5, 0.5), binomial_below(5, 5, 0.5)) == (0.0, 1.0)


def test_importing_the_room_loads_neither_numpy_nor_scipy() -> None:
    code = "import sys, benchproof.measure; print(sorted({'numpy', 'scipy'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
