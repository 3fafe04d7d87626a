"""Where a candidate begins, BOS, and what cannot be scored: the same in every method (contract-bench §4)."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.models import BATCHING_METHODS, BatchingMethod, CallFailure, ChoiceRequest, ChoiceScores
from benchproof.models.likelihoods import ChoiceScorer
from models.fakes import BOS, END, PIECES, FakeWeights
from models.joins import pair_like_lm_eval

METHODS = pytest.mark.parametrize("method", BATCHING_METHODS)


def ask(weights: FakeWeights, method: BatchingMethod, context: str, *texts: str) -> ChoiceScores | CallFailure:
    return ChoiceScorer(weights, method).score(ChoiceRequest(context, texts), shared_prefix=context[:2] or None)


def scored(weights: FakeWeights, method: BatchingMethod, context: str, *texts: str) -> ChoiceScores:
    outcome = ask(weights, method, context, *texts)
    assert isinstance(outcome, ChoiceScores), outcome
    return outcome


def failed(weights: FakeWeights, method: BatchingMethod, context: str, *texts: str) -> CallFailure:
    outcome = ask(weights, method, context, *texts)
    assert isinstance(outcome, CallFailure), outcome
    return outcome


@METHODS
def test_an_empty_context_is_a_bos_that_the_model_does_not_ask_for_and_flagged(method: BatchingMethod) -> None:
    weights = FakeWeights()
    outcome = scored(weights, method, "", "q", "rs")
    assert "prefix_token" in outcome.flags
    assert (outcome.context_tokens, outcome.join_token) == (1, False)
    assert [list(candidate.token_ids) for candidate in outcome.candidates] == [
        pair_like_lm_eval(weights, "", text)[1] for text in ("q", "rs")
    ]
    decoded = [*weights.calls, *weights.branchings][0][0]
    assert decoded[0] == BOS


@METHODS
def test_an_eos_stands_in_where_the_vocabulary_has_no_bos(method: BatchingMethod) -> None:
    weights = FakeWeights(bos=None)
    assert "prefix_token" in scored(weights, method, "", "q", "rs").flags
    assert [*weights.calls, *weights.branchings][0][0][0] == END


@METHODS
def test_with_neither_bos_nor_eos_an_empty_context_is_a_failure(method: BatchingMethod) -> None:
    failure = failed(FakeWeights(bos=None, eos=None), method, "", "q")
    assert failure.error == "empty-context"
    assert "neither BOS nor EOS" in failure.detail


@METHODS
def test_a_bos_that_the_model_asks_for_stands_in_for_nothing(method: BatchingMethod) -> None:
    outcome = scored(FakeWeights(adds_bos=True), method, "", "q", "rs")
    assert "prefix_token" not in outcome.flags
    assert outcome.context_tokens == 1


@METHODS
def test_a_token_over_the_join_at_the_very_beginning_is_scored_whole_behind_a_bos(method: BatchingMethod) -> None:
    outcome = scored(FakeWeights(), method, "a", "b", "c")
    assert outcome.join_token
    assert "prefix_token" in outcome.flags
    assert [[PIECES[token] for token in each.token_ids] for each in outcome.candidates] == [[b"ab"], [b"a", b"c"]]


@METHODS
def test_a_context_of_white_space_alone_is_context(method: BatchingMethod) -> None:
    outcome = scored(FakeWeights(), method, "\n\n", "q", "rs")
    assert (outcome.context_tokens, outcome.join_token) == (1, False)
    assert "prefix_token" not in outcome.flags


@METHODS
@pytest.mark.parametrize("adds_bos", [False, True])
def test_a_prompt_with_a_bos_of_its_own_is_flagged_only_where_one_is_added(
    adds_bos: bool, method: BatchingMethod
) -> None:
    outcome = scored(FakeWeights(adds_bos=adds_bos), method, "<s>x", "q", "r")
    assert ("double_bos" in outcome.flags) is adds_bos


@METHODS
def test_an_empty_continuation_is_a_failure_that_names_it(method: BatchingMethod) -> None:
    assert failed(FakeWeights(), method, "x", "q", "") == CallFailure(
        "empty-continuation", "candidate 1 is empty: there is no token to score"
    )


@METHODS
def test_what_is_too_long_fails_with_its_numbers_and_is_never_cut(method: BatchingMethod) -> None:
    """lm-eval drops tokens from the left and says so in a log line."""
    weights = FakeWeights(context_tokens=8)
    assert failed(weights, method, "xyz", "q", "qrstuv") == CallFailure(
        "context-overflow", "context and candidate 1: 9 tokens do not fit, the context window holds 8"
    )
    assert (weights.calls, weights.holds, weights.branchings) == ([], [], [])


@METHODS
def test_a_character_whose_bytes_are_several_tokens_is_scored_byte_by_byte(method: BatchingMethod) -> None:
    outcome = scored(FakeWeights(), method, "x", "人", "é")
    assert [len(candidate.token_ids) for candidate in outcome.candidates] == [3, 2]
    assert not outcome.join_token


TEXT = st.text(alphabet="xyab c\n人", max_size=8)
TEXTS = st.lists(st.text(alphabet="ab cd\né", max_size=5), min_size=1, max_size=4)


@given(context=TEXT, texts=TEXTS, adds_bos=st.booleans(), bos=st.sampled_from([BOS, None]), window=st.integers(1, 40))
def test_what_is_scored_and_what_fails_is_the_same_in_every_method(
    context: str, texts: list[str], adds_bos: bool, bos: int | None, window: int
) -> None:
    outcomes: list[object] = []
    for method in BATCHING_METHODS:
        weights = FakeWeights(adds_bos=adds_bos and bos is not None, bos=bos, context_tokens=window)
        outcome = ask(weights, method, context, *texts)
        if isinstance(outcome, ChoiceScores):
            ids = [candidate.token_ids for candidate in outcome.candidates]
            flags = {flag for flag in outcome.flags if not flag.startswith("fell_back")}
            outcomes.append((ids, outcome.context_tokens, outcome.join_token, flags))
        else:
            outcomes.append(outcome)
    assert outcomes[0] == outcomes[1] == outcomes[2]


@given(context=st.text(alphabet="xyab cé", max_size=8).map(str.rstrip), text=st.text(alphabet="ab cdé", min_size=1))
def test_where_no_token_spans_the_join_a_candidate_has_the_tokens_of_lm_eval(context: str, text: str) -> None:
    weights = FakeWeights(context_tokens=256)
    before, after = pair_like_lm_eval(weights, context, text)
    outcome = scored(weights, "exact", context, text)
    [candidate] = outcome.candidates
    if outcome.join_token:
        whole = [*([BOS] if "prefix_token" in outcome.flags else []), *weights.tokenize(context + text)]
        assert whole[len(whole) - len(candidate.token_ids) :] == list(candidate.token_ids), "no token is lost"
        assert len(after) < len(candidate.token_ids), "lm-eval loses the token that spans the join"
    else:
        assert (outcome.context_tokens, list(candidate.token_ids)) == (len(before), after)


@given(context=st.text(alphabet="xyab", max_size=6).map(lambda text: text + " "), texts=TEXTS)
def test_a_space_before_the_join_is_scored_where_it_belongs_to_a_candidates_token(
    context: str, texts: list[str]
) -> None:
    """lm-eval scores the space with every candidate; here only where it is part of one's token. What lm-eval has more
    is the same for all candidates, so no choice differs.
    """
    weights = FakeWeights(context_tokens=256)
    texts = [text for text in texts if text] or ["q"]
    outcome = scored(weights, "exact", context, *texts)
    heads = set()
    for text, candidate in zip(texts, outcome.candidates, strict=True):
        theirs = pair_like_lm_eval(weights, context, text)[1]
        ours = list(candidate.token_ids)
        if len(ours) <= len(theirs):
            assert theirs[len(theirs) - len(ours) :] == ours
            heads.add(tuple(theirs[: len(theirs) - len(ours)]))
        else:
            assert "prefix_token" in outcome.flags
    assert len(heads) <= 1


def test_the_names_of_flags_are_words_that_a_raw_line_can_hold() -> None:
    outcome = scored(dataclasses.replace(FakeWeights(max_branches=1)), "shared", "", "q", "r")
    assert sorted(outcome.flags) == ["fell_back_exact", "prefix_token"]
