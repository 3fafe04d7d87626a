"""pass@k, pass^k, and chance on the mean."""

import json
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import (
    MeasureError,
    average_repeats,
    chance_normalised,
    chance_of,
    normalise_by_chance,
    pass_at_k,
    pass_hat_k,
)


def test_human_eval_gives_the_same_pass_at_k(shared: Path) -> None:
    for row in json.loads((shared / "data/metric-vectors/pass_at_k.json").read_text())["rows"]:
        assert pass_at_k(row["n"], row["c"], row["k"]) == pytest.approx(row["pass_at_k"], abs=1e-14), row


def test_pass_hat_k_and_the_mean_over_problems_match_the_vectors(shared: Path) -> None:
    variants = json.loads((shared / "data/metric-vectors/pass_at_k.json").read_text())["variants"]
    for row in variants["rows"]:
        assert pass_hat_k(row["n"], row["c"], row["k"]) == row["value"]
    problems = variants["multi-problem"]
    each = [pass_at_k(n, c, problems["k"]) for n, c in zip(problems["n"], problems["c"], strict=True)]
    assert sum(each) / 3 == pytest.approx(problems["mean"])


@pytest.mark.parametrize(("n", "c", "k"), [(5, 1, 6), (5, 1, 0), (5, 6, 1), (0, 0, 1), (5, -1, 1)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    for measure in (pass_at_k, pass_hat_k):
        with pytest.raises(MeasureError):
            measure(n, c, k)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_all_k_pass_is_the_complement_of_any_of_k_failing(case: tuple[int, int, int]) -> None:
    n, c, k = case
    assert pass_hat_k(n, c, k) == pytest.approx(1.0 - pass_at_k(n, n - c, k))
    assert pass_hat_k(n, c, k) <= pass_at_k(n, c, k)
    assert pass_at_k(n, c, n) == float(c > 0)
    assert pass_at_k(n, c, k) == pytest.approx(1 - comb(n - c, k) / comb(n, k))


def test_repeats_are_averaged_inside_the_item() -> None:
    assert average_repeats([1.0, 0.0, 1.0, 1.0]) == 0.75
    with pytest.raises(MeasureError):
        average_repeats([])


def test_chance_is_the_mean_of_one_over_k(shared: Path) -> None:
    truths = json.loads((shared / "data/stat-truths/T10-proportion-mcnemar-padj.json").read_text())
    chance = truths["python"]["chance"]
    assert normalise_by_chance(0.62, 0.25) == pytest.approx(chance["acc=.62,c=.25"])
    assert normalise_by_chance(0.2, 0.25) == pytest.approx(chance["acc=.2,c=.25 (negative kept)"])
    assert chance_normalised(0.5, [4, 4, 2, 5]) == pytest.approx(chance["mixed k [4,4,2,5], acc .5"])


def test_chance_of_mixed_items_is_not_one_over_the_mean() -> None:
    assert chance_of([2, 4]) == 0.375


@pytest.mark.parametrize("ks", [[], [4, 1], [0]])
def test_chance_needs_items_with_a_choice(ks: list[int]) -> None:
    with pytest.raises(MeasureError):
        chance_of(ks)


@pytest.mark.parametrize("chance", [1.0, -0.1])
def test_a_scale_needs_room_above_chance(chance: float) -> None:
    with pytest.raises(MeasureError):
        normalise_by_chance(0.5, chance)


@given(st.lists(st.integers(2, 26), min_size=1), st.randoms())
def test_chance_does_not_depend_on_the_order_of_items(ks: list[int], random: object) -> None:
    assert chance_of(ks) == chance_of(sorted(ks)) == chance_of(reversed(ks))
