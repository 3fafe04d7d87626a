"""Choice by likelihood, checked on lm-evaluation-harness's own sample lines."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import (
    CHOICE_RULES,
    Candidate,
    ChoiceRule,
    MeasureError,
    choice_values,
    choose,
    measure_length,
    pick_first_max,
)

finite = st.floats(allow_nan=False, allow_infinity=False)


def make_candidate(text: str, logprob: float, *, prefix: str = " ", tokens: int = 1) -> Candidate:
    return Candidate(text=text, scored_text=prefix + text, tokens=tokens, logprob=logprob)


@pytest.mark.parametrize(
    ("rule", "length"), [("none", 1), ("byte", 8), ("token", 3), ("char@lm-eval", 3), ("byte@lm-eval", 7)]
)
def test_each_rule_has_its_own_length(rule: ChoiceRule, length: int) -> None:
    assert measure_length(make_candidate("é🙂x", -1.0, tokens=3), rule) == length


def test_bytes_with_and_without_the_delimiter_choose_differently() -> None:
    candidates = [make_candidate("a", -1.0), make_candidate("bbbb", -3.0)]
    assert choose(candidates, "byte@lm-eval").chosen == 1
    assert choose(candidates, "byte").chosen == 0


def test_the_first_maximum_wins_and_the_tie_is_counted() -> None:
    assert pick_first_max([-2.0, -1.0, -1.0]) == (1, True)
    assert pick_first_max([-1.0, -2.0, -2.0]) == (0, False)


def test_a_value_that_is_not_a_number_never_wins() -> None:
    with pytest.raises(MeasureError, match="candidate 1"):
        pick_first_max([-1.0, math.nan])


def test_nothing_to_choose_from_is_refused() -> None:
    with pytest.raises(MeasureError, match="nothing to choose from"):
        pick_first_max([])


def test_a_candidate_of_no_length_is_refused_by_name() -> None:
    with pytest.raises(MeasureError, match="candidate 1"):
        choice_values([-1.0, -2.0], [3, 0])


def test_lengths_are_given_candidate_by_candidate() -> None:
    with pytest.raises(MeasureError, match="one length"):
        choice_values([-1.0, -2.0], [3])


def test_an_unknown_rule_is_named_with_the_known_ones() -> None:
    with pytest.raises(MeasureError, match="char@lm-eval"):
        measure_length(make_candidate("a", -1.0), "bytes")  # type: ignore[arg-type]


def test_the_example_of_the_formats_page_divides_to_the_last_bit() -> None:
    assert choice_values([-18.484930547348537], [35]) == [-0.5281408727813868]


@given(st.lists(finite, min_size=1))
def test_the_choice_is_the_first_of_the_largest(values: list[float]) -> None:
    chosen, tie = pick_first_max(values)
    assert all(value < values[chosen] for value in values[:chosen])
    assert all(value <= values[chosen] for value in values)
    assert tie == (values.count(values[chosen]) > 1)


@pytest.mark.parametrize(
    ("rule", "metric"), [("none", "acc"), ("char@lm-eval", "acc_norm"), ("byte@lm-eval", "acc_bytes")]
)
def test_lm_eval_gives_the_same_accuracy_on_every_sample_line(shared: Path, rule: ChoiceRule, metric: str) -> None:
    lines = [
        json.loads(line)
        for path in sorted((shared / "data/harness-logs/generated/lm-eval-0.4.13/run0").rglob("samples_xt_mcq*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    assert len(lines) > 2
    for line in lines:
        texts = line["doc"]["choices"]
        logprobs = [float(response[0]) for response in line["filtered_resps"][: len(texts)]]
        candidates = [make_candidate(text, value) for text, value in zip(texts, logprobs, strict=True)]
        assert float(choose(candidates, rule).chosen == line["doc"]["gold"]) == line[metric], line["doc_id"]


@pytest.mark.parametrize("name", ["ref-smollm2-b.json", "ref-gemma-b.json"])
@pytest.mark.parametrize(("rule", "metric"), [("none", "acc"), ("char@lm-eval", "acc_norm")])
def test_reference_likelihoods_give_the_reference_accuracy(
    shared: Path, name: str, rule: ChoiceRule, metric: str
) -> None:
    reference = json.loads((shared / "data/reference-scores" / name).read_text())
    for task, samples in reference["samples"].items():
        right = []
        for sample in samples:
            candidates = [
                make_candidate(text.removeprefix(" "), value)
                for text, value in zip(sample["conts"], sample["ll"], strict=True)
            ]
            right.append(choose(candidates, rule).chosen == sample["target"])
            assert right[-1] == sample[metric]
        assert sum(right) / len(right) == pytest.approx(reference["results"][task][f"{metric},none"])


def test_every_named_rule_can_choose() -> None:
    candidates = [make_candidate("one", -1.0), make_candidate("two", -9.0)]
    assert [choose(candidates, rule).chosen for rule in CHOICE_RULES] == [0] * 5
