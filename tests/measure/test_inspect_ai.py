"""Rules of Inspect's scorers; each vector was put to Inspect 0.3.285 itself."""

import math
from typing import Any

import pytest

from benchproof.measure import MeasureError
from benchproof.measure.inspect_ai import (
    choice_inspect,
    exact_inspect,
    includes_inspect,
    match_inspect,
    pattern_inspect,
    value_inspect,
)
from benchproof.measure.inspect_stats import (
    interval_inspect,
    is_reducer,
    reduce_epochs,
    stderr_inspect,
    variance_inspect,
)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), ("yes", 1.0), ("No", 0.0), ("TRUE", 1.0), ("false", 0.0),
        ("0.25", 0.25), ("1e3", 1000.0), (True, 1.0), (False, 0.0), (3, 3.0), (-0.5, -0.5),
    ],
)  # fmt: skip
def test_a_value_is_the_number_that_inspects_metrics_take(value: Any, number: float) -> None:
    assert value_inspect(value) == number


@pytest.mark.parametrize("value", ["x", "", "inf", "nan", [1], {"a": 1}, 1e300])
def test_a_value_that_is_no_number_is_none_and_no_zero(value: Any) -> None:
    assert value_inspect(value) is None


def test_the_mark_of_a_sample_without_a_score_stays_what_it_is() -> None:
    number = value_inspect(float("nan"))
    assert number is not None
    assert math.isnan(number)


@pytest.mark.parametrize(
    ("answer", "targets", "location", "ignore_case", "score"),
    [
        ("It is Paris.", ["paris"], "end", True, 1),
        ("It is Paris.", ["paris"], "end", False, 0),
        ("Paris it is", ["Paris"], "end", True, 0),
        ("Paris it is", ["Paris"], "begin", True, 1),
        ("so Paris it is", ["Rome", "paris"], "any", True, 1),
        ("(Paris)", ["Paris!"], "exact", True, 1),
        ("Parisian", ["Paris"], "exact", True, 0),
        ("STRASSE", ["straße"], "end", True, 1),
        ("anything", ["."], "end", True, 1),
    ],
)
def test_match(answer: str, targets: list[str], location: str, ignore_case: bool, score: int) -> None:
    assert match_inspect(answer, targets, location, ignore_case=ignore_case) == score


def test_a_place_that_there_is_not_is_a_fault_of_the_log() -> None:
    with pytest.raises(MeasureError):
        match_inspect("a", ["a"], "middle")


@pytest.mark.parametrize(
    ("answer", "targets", "ignore_case", "score"),
    [("a PARIS b", ["paris"], True, 1), ("a PARIS b", ["paris"], False, 0), ("Rome", ["Paris", ""], True, 1)],
)
def test_includes(answer: str, targets: list[str], ignore_case: bool, score: int) -> None:
    assert includes_inspect(answer, targets, ignore_case=ignore_case) == score


@pytest.mark.parametrize(
    ("answer", "targets", "score"),
    [
        ("The Paris!", ["paris"], 1),
        ("42.0", ["(42)"], 1),
        ("a", ["the"], 0),
        ("well-known", ["well known"], 1),
        ("", ["-"], 0),
    ],
)
def test_exact(answer: str, targets: list[str], score: int) -> None:
    assert exact_inspect(answer, targets) == score


@pytest.mark.parametrize(
    ("answer", "targets", "score"),
    [
        ("A", ["A"], 1),
        ("B, A", ["A", "B"], 1),
        ("A, B", ["AB"], 1),
        ("A", ["A", "B"], 0),
        ("", ["A"], 0),
        (None, ["A"], 0),
    ],
)
def test_choice(answer: str | None, targets: list[str], score: int) -> None:
    assert choice_inspect(answer, targets) == score


@pytest.mark.parametrize(
    ("answer", "targets", "ignore_case", "score"),
    [("yes", ["YES"], True, 1), ("yes", ["YES"], False, 0), (None, ["yes"], True, 0), ("yes it is", ["yes"], True, 0)],
)
def test_pattern(answer: str | None, targets: list[str], ignore_case: bool, score: int) -> None:
    assert pattern_inspect(answer, targets, ignore_case=ignore_case) == score


@pytest.mark.parametrize(
    ("reducer", "values", "score"),
    [
        ("mean", [1.0, 0.0, 0.5], 0.5),
        ("median", [1.0, 0.0, 0.5, 1.0], 0.75),
        ("max", [0.0, 0.5], 0.5),
        ("mode", [0.0, 1.0, 1.0], 1.0),
        ("at_least_2", [1.0, 0.0, 1.0], 1.0),
        ("at_least_2", [1.0, 0.0, 0.5], 0.0),
        ("pass_at_2", [1.0, 0.0, 0.0, 0.0], 0.5),
        ("pass_at_2", [1.0], None),
        ("pass_k_2", [1.0, 1.0, 0.0], 1 / 3),
        ("mean", [], None),
    ],
)
def test_epochs_are_made_one_score(reducer: str, values: list[float], score: float | None) -> None:
    assert is_reducer(reducer)
    assert reduce_epochs(values, reducer) == pytest.approx(score)


@pytest.mark.parametrize("reducer", ["majority", "top_5", "pass_at_0", "at_least_", ""])
def test_a_reducer_that_is_not_known_is_said_to_be_none(reducer: str) -> None:
    assert not is_reducer(reducer)
    with pytest.raises(MeasureError):
        reduce_epochs([1.0], reducer)


def test_the_standard_error_is_that_of_the_mean_and_zero_for_one_score() -> None:
    assert stderr_inspect([1.0, 0.0, 1.0, 1.0]) == pytest.approx(0.25)
    assert stderr_inspect([1.0]) == 0.0
    assert variance_inspect([1.0, 0.0]) == pytest.approx(0.5)


def test_the_clustered_standard_error_has_the_correction_for_few_clusters() -> None:
    values, clusters = [1.0, 1.0, 0.0, 0.0], ["a", "a", "b", "b"]
    assert stderr_inspect(values, clusters) == pytest.approx(0.5)
    assert stderr_inspect(values, ["a"] * 4) == 0.0


def test_the_interval_is_students_with_one_degree_less_than_scores_or_clusters() -> None:
    values = [1.0, 0.0, 1.0, 1.0]
    assert interval_inspect(values, 0.95) == pytest.approx((-0.045611567, 1.545611567))
    assert interval_inspect(values, 0.95, ["a", "a", "b", "b"]) == pytest.approx((-2.426551184, 3.926551184))
    assert interval_inspect([0.5], 0.95) == (0.5, 0.5)
