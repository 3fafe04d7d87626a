import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores
from benchproof.models.likelihoods import ChoiceScorer, log_softmax_at
from benchproof.models.runtime import RuntimeFailure
from models.fakes import BOS, PIECES, FakeWeights


def scored(weights: FakeWeights, context: str, *continuations: str) -> ChoiceScores:
    outcome = ChoiceScorer(weights).score(ChoiceRequest(context, continuations))
    assert isinstance(outcome, ChoiceScores), outcome
    return outcome


def failed(weights: FakeWeights, context: str, *continuations: str) -> CallFailure:
    outcome = ChoiceScorer(weights).score(ChoiceRequest(context, continuations))
    assert isinstance(outcome, CallFailure), outcome
    return outcome


def test_one_decode_a_candidate_holds_everything_and_asks_for_scored_rows_only() -> None:
    weights = FakeWeights()
    outcome = scored(weights, "xyz", " q", " rst")
    whole = [tuple(weights.tokenize("xyz q")), tuple(weights.tokenize("xyz rst"))]
    assert weights.calls == [(whole[0], 2, 4), (whole[1], 2, 6)]
    assert [candidate.token_ids for candidate in outcome.candidates] == [whole[0][3:], whole[1][3:]]
    assert (outcome.context_tokens, outcome.join_token, outcome.batching) == (3, False, "exact")


def test_log_probabilities_are_those_of_the_rows_before_the_tokens() -> None:
    weights = FakeWeights()
    candidate = scored(weights, "xyz", " q").candidates[0]
    tokens = weights.tokenize("xyz q")
    for token, logprob, row in zip(candidate.token_ids, candidate.token_logprobs, (2, 3), strict=True):
        logits = weights.evaluate(tokens, rows_from=row, rows_to=row + 1)[0].astype(np.float64)
        assert logprob == pytest.approx(logits[token] - math.log(math.fsum(np.exp(logits))), abs=1e-12)


def test_greedy_means_that_each_token_is_the_first_maximum() -> None:
    weights = FakeWeights()
    context, best = next(
        (context, best)
        for context in map(chr, range(33, 127))
        if (best := int(weights.evaluate(weights.tokenize(context), rows_from=0, rows_to=1)[0].argmax()))
        in range(35, 129)
    )
    text = PIECES[best].decode()
    outcome = scored(weights, context, "~" if text != "~" else "!", text, f"{text}~")
    assert [candidate.is_greedy for candidate in outcome.candidates] == [False, True, False]


def test_a_token_over_the_join_moves_the_cut_of_all_candidates_to_the_last_common_boundary() -> None:
    weights = FakeWeights()
    outcome = scored(weights, "xa", "b", "z")
    assert outcome.join_token
    assert outcome.context_tokens == 2
    ids = [[PIECES[token] for token in candidate.token_ids] for candidate in outcome.candidates]
    assert ids == [[b"ab"], [b"a", b"z"]]


def test_a_bos_is_added_where_the_model_says_so_and_counts_as_context() -> None:
    weights = FakeWeights(adds_bos=True)
    outcome = scored(weights, "", "q")
    assert outcome.context_tokens == 1
    assert weights.calls[0][0][0] == BOS


def test_a_prompt_with_a_bos_of_its_own_is_flagged_where_the_model_adds_one() -> None:
    assert scored(FakeWeights(adds_bos=True), "<s>x", "q").flags == ("double_bos",)
    assert scored(FakeWeights(adds_bos=False), "<s>x", "q").flags == ()


def test_names_of_control_tokens_in_data_stay_plain_text() -> None:
    weights = FakeWeights()
    scored(weights, "x</s>", "q")
    assert 1 not in weights.calls[0][0]


def test_an_empty_continuation_is_a_failure_that_names_it() -> None:
    assert failed(FakeWeights(), "x", "q", "") == CallFailure(
        "empty-continuation", "candidate 1 is empty: there is no token to score"
    )


class Erasing(FakeWeights):
    """A tokenizer that normalises: a space at the end is nothing, and ``<`` takes back the character before it."""

    def tokenize(self, text: str, *, parse_special: bool = False) -> list[int]:
        return super().tokenize(re.sub(".<", "", text).rstrip(), parse_special=parse_special)


@pytest.mark.parametrize("continuation", [" ", "<"])
def test_a_continuation_that_adds_no_token_is_a_failure_that_names_it(continuation: str) -> None:
    weights = Erasing()
    assert failed(weights, "xy", "q", continuation) == CallFailure(
        "empty-continuation", "candidate 1 adds no token to the context"
    )
    assert weights.calls == []


def test_no_candidates_are_a_failure() -> None:
    assert failed(FakeWeights(), "x").error == "no-candidates"


def test_an_item_longer_than_the_context_fails_with_its_numbers_before_any_decode() -> None:
    weights = FakeWeights(context_tokens=8)
    assert failed(weights, "xyz", "q", "qrstuv") == CallFailure(
        "context-overflow", "context and candidate 1: 9 tokens do not fit, the context window holds 8"
    )
    assert weights.calls == []


def test_an_item_that_fills_the_context_exactly_is_scored() -> None:
    assert scored(FakeWeights(context_tokens=8), "xyz", "qrstu").context_tokens == 3


def test_a_failing_decode_is_a_backend_failure() -> None:
    assert failed(FakeWeights(fault="llama_decode returned 1"), "x", "q") == CallFailure(
        "backend", "llama_decode returned 1"
    )


def test_logits_that_are_not_finite_are_a_backend_failure() -> None:
    assert failed(FakeWeights(bad_logits=True), "x", "q").error == "backend"


def test_minus_infinity_for_a_scored_token_is_a_fault() -> None:
    row = np.array([[0.0, -np.inf]], dtype=np.float32)
    with pytest.raises(RuntimeFailure, match="no finite log-probability"):
        log_softmax_at(row, [1])


def test_logits_beyond_the_exponents_range_give_what_smaller_ones_give() -> None:
    far, near = (np.array([[top, top - 1.0, -top]], dtype=np.float32) for top in (5000.0, 50.0))
    assert log_softmax_at(far, [1]) == pytest.approx(log_softmax_at(near, [1]), abs=1e-12)


@given(st.lists(st.floats(-50, 50, width=32), min_size=2, max_size=40), st.data())
def test_probabilities_of_a_row_sum_to_one(values: list[float], data: st.DataObject) -> None:
    row = np.array([values], dtype=np.float32)
    total = math.fsum(math.exp(log_softmax_at(row, [token])[0]) for token in range(len(values)))
    assert total == pytest.approx(1.0, abs=1e-12)


@given(
    context=st.text(alphabet="xyab c", min_size=1, max_size=12),
    texts=st.lists(st.text(alphabet="ab cd", min_size=1, max_size=6), min_size=1, max_size=4),
)
def test_scored_tokens_spell_the_end_of_context_and_continuation(context: str, texts: list[str]) -> None:
    weights = FakeWeights()
    outcome = ChoiceScorer(weights).score(ChoiceRequest(context, tuple(texts)))
    assert isinstance(outcome, ChoiceScores), outcome
    for text, candidate in zip(texts, outcome.candidates, strict=True):
        spelled = b"".join(PIECES[token] for token in candidate.token_ids).decode()
        assert (context + text).endswith(spelled)
        assert len(spelled) >= len(text)
        assert outcome.join_token or spelled == text
