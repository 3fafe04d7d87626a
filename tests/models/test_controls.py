import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.models import (
    CONTROL_NAMES,
    CallFailure,
    ChoiceRequest,
    ChoiceScores,
    ControlModel,
    Generation,
    GenerationParams,
    Model,
    ModelClosedError,
    UnknownModelError,
)

REQUEST = ChoiceRequest(
    "Passage: The ferry waits for the fish sellers.\n\nQuestion: Who is waited for?\nAnswer:",
    (" A dog.", " The captain, who was late as always.", " The fish sellers.", " Nobody."),
)
PARAMS = GenerationParams(max_new_tokens=8)


def scores(name: str, request: ChoiceRequest = REQUEST, seed: int = 0) -> ChoiceScores:
    outcome = ControlModel(name, seed=seed).score_choices([request])[0]
    assert isinstance(outcome, ChoiceScores)
    return outcome


def winners(outcome: ChoiceScores, request: ChoiceRequest = REQUEST) -> list[list[int]]:
    """Positions of the maximum under no, byte and token normalisation."""
    sums = [math.fsum(candidate.token_logprobs) for candidate in outcome.candidates]
    lengths = [
        [1] * len(sums),
        [len(text.encode("utf-8", "surrogatepass")) for text in request.continuations],
        [len(candidate.token_ids) for candidate in outcome.candidates],
    ]
    rules = [[total / length for total, length in zip(sums, row, strict=True)] for row in lengths]
    return [[j for j, value in enumerate(values) if value == max(values)] for values in rules]


def said(name: str, prompt: str, params: GenerationParams = PARAMS, seed: int = 0) -> Generation:
    outcome = ControlModel(name, seed=seed).generate([prompt], params)[0]
    assert isinstance(outcome, Generation)
    return outcome


@pytest.mark.parametrize(
    ("name", "position"), [("first", 0), ("always-first", 0), ("constant", 3), ("longest", 1), ("echo", 2)]
)
def test_a_control_picks_its_candidate_under_each_normalisation(name: str, position: int) -> None:
    assert winners(scores(name)) == [[position]] * 3


def test_empty_makes_a_tie_of_all_candidates_under_each_normalisation() -> None:
    assert winners(scores("empty")) == [[0, 1, 2, 3]] * 3


def test_longest_counts_code_points_and_takes_the_first_of_equals() -> None:
    request = ChoiceRequest("Q", (" ab", " éé", " abc", " ééé"))
    assert winners(scores("longest", request), request) == [[2]] * 3


@given(
    context=st.text(),
    texts=st.lists(st.text(min_size=1), min_size=2, max_size=6),
    name=st.sampled_from(sorted(set(CONTROL_NAMES) - {"empty"})),
    seed=st.integers(0, 2**32),
)
def test_the_chosen_candidate_wins_alone_for_any_texts(context: str, texts: list[str], name: str, seed: int) -> None:
    request = ChoiceRequest(context, tuple(texts))
    none, byte, token = winners(scores(name, request, seed), request)
    assert len(none) == 1
    assert none == byte == token


def test_random_is_spread_evenly_over_positions() -> None:
    requests = [ChoiceRequest(f"Question {number}", REQUEST.continuations) for number in range(2000)]
    counts = Counter(winners(scores("random", request))[0][0] for request in requests)
    assert set(counts) == {0, 1, 2, 3}
    assert all(420 < count < 580 for count in counts.values())


def test_random_does_not_depend_on_neighbours_but_on_the_seed() -> None:
    requests = [ChoiceRequest(f"Question {number}", REQUEST.continuations) for number in range(50)]
    together = ControlModel("random", seed=1).score_choices(requests)
    assert together == [ControlModel("random", seed=1).score_choices([request])[0] for request in requests]
    assert together != ControlModel("random", seed=2).score_choices(requests)


def test_an_empty_continuation_is_a_failure_as_with_a_real_model() -> None:
    outcome = ControlModel("first").score_choices([ChoiceRequest("Q", (" a", ""))])[0]
    assert outcome == CallFailure("empty-continuation", "candidate 1 is empty: there is no token to score")


def test_a_request_without_candidates_is_a_failure() -> None:
    outcome = ControlModel("first").score_choices([ChoiceRequest("Q", ())])[0]
    assert isinstance(outcome, CallFailure)
    assert outcome.error == "no-candidates"


PROMPT = "Question: What is hot?\nAnswer: fire\n\nQuestion: What is the capital of Perlis?\nAnswer:"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty", ""),
        ("echo", "What is the capital of Perlis?"),
        ("constant", "yes"),
        ("first", "Question"),
        ("longest", "Question"),
    ],
)
def test_a_control_says_its_text(name: str, text: str) -> None:
    assert said(name, PROMPT).text == text


def test_echo_without_a_question_mark_says_the_last_line() -> None:
    assert said("echo", "Name a colour\n\n").text == "Name a colour"


def test_random_says_a_word_of_the_prompt_chosen_by_prompt_and_seed() -> None:
    texts = {said("random", PROMPT, seed=seed).text for seed in range(40)}
    assert len(texts) > 5
    assert texts <= set(PROMPT.replace("?", " ").replace(":", " ").split())


@pytest.mark.parametrize("name", CONTROL_NAMES)
def test_an_empty_prompt_is_answered_without_a_crash(name: str) -> None:
    assert said(name, "").text in {"", "yes"}


def test_text_ends_with_the_first_stop_string() -> None:
    outcome = said("echo", PROMPT, GenerationParams(max_new_tokens=8, stop=("of", "cap")))
    assert (outcome.text, outcome.finish) == ("What is the cap", "stop")


def test_chat_answers_the_last_user_message() -> None:
    outcome = ControlModel("echo").chat(
        [{"role": "user", "content": "Is it hot?"}, {"role": "assistant", "content": "Is it?"}], PARAMS
    )
    assert isinstance(outcome, Generation)
    assert outcome.text == "Is it hot?"


def test_a_control_says_that_it_is_synthetic_and_has_no_batching() -> None:
    info = ControlModel("always-first").info()
    assert (info.synthetic, info.batching, info.identity["variant"]) == (True, None, "other")
    assert (info.identity["id"], info.identity["model"]) == ("control-first", "control:first")


def test_an_unknown_control_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(UnknownModelError, match=r"control:lognest.*Did you mean control:longest"):
        ControlModel("lognest")


def test_a_control_that_is_near_none_is_answered_with_each_name_once() -> None:
    with pytest.raises(UnknownModelError) as caught:
        ControlModel("xyz")
    assert [str(caught.value).count(f"control:{name}") for name in CONTROL_NAMES] == [1] * len(CONTROL_NAMES)


def test_a_closed_control_refuses_calls() -> None:
    control: Model = ControlModel("first")
    control.check_unchanged()
    control.close()
    with pytest.raises(ModelClosedError):
        control.score_choices([REQUEST])
