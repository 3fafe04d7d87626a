from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.models import CallFailure, Generation, GenerationParams, ModelError
from benchproof.models.generation import _draw_fraction, check_params, generate_text
from models.fakes import BOS, END, FakeWeights


def tokens_of(text: str) -> list[int]:
    return FakeWeights().tokenize(text)


def run(
    script: Sequence[int], *, prompt: str = "xyz", stop: tuple[str, ...] = (), limit: int = 20, context: int = 64
) -> Generation:
    weights = FakeWeights(script=script, context_tokens=context)
    outcome = generate_text(weights, prompt, GenerationParams(max_new_tokens=limit, stop=stop))
    assert isinstance(outcome, Generation), outcome
    return outcome


def test_text_ends_with_the_stop_string_that_the_model_produced() -> None:
    outcome = run(tokens_of("fire\nQuestion"), stop=("\n",))
    assert (outcome.text, outcome.finish, len(outcome.token_ids)) == ("fire\n", "stop", 5)


def test_a_token_that_reaches_past_the_stop_string_is_kept_whole_among_the_ids() -> None:
    outcome = run(tokens_of("x\n\n"), stop=("\n",))
    assert (outcome.text, outcome.token_ids) == ("x\n", tuple(tokens_of("x\n\n")))


def test_a_stop_string_spread_over_tokens_is_found() -> None:
    assert run(tokens_of("one END two"), stop=("END",)).text == "one END"


def test_the_stop_string_that_ends_first_wins() -> None:
    assert run(tokens_of("q\n\nr"), stop=("\n\n", "\n")).text == "q\n"


@given(
    text=st.text(alphabet="xyzé漢", max_size=10),
    stop=st.text(alphabet="xyé漢", min_size=1, max_size=3),
)
def test_where_a_stop_string_is_produced_nothing_follows_its_first_occurrence(text: str, stop: str) -> None:
    outcome = run([*tokens_of(text), END], stop=(stop,), limit=64, context=128)
    at = text.find(stop)
    assert outcome.text == (text if at < 0 else text[: at + len(stop)])
    assert outcome.finish == ("eos" if at < 0 else "stop")
    assert outcome.flags == ()


def test_an_end_token_ends_the_text_and_stands_among_the_ids() -> None:
    outcome = run([*tokens_of("hi"), END])
    assert (outcome.text, outcome.finish, outcome.token_ids[-1]) == ("hi", "eos", END)


def test_an_end_token_at_once_gives_the_empty_text_which_is_no_failure() -> None:
    outcome = run([END])
    assert (outcome.text, outcome.finish, outcome.token_ids) == ("", "eos", (END,))


def test_the_limit_ends_the_text_as_length() -> None:
    outcome = run(tokens_of("abcdefgh"), limit=3)
    assert (len(outcome.token_ids), outcome.finish, outcome.flags) == (3, "length", ())


def test_a_full_context_ends_the_text_as_length_with_a_flag() -> None:
    outcome = run(tokens_of("qrstuvw"), context=6)
    assert (outcome.text, outcome.finish, outcome.flags) == ("qrst", "length", ("context_full",))


def test_characters_spread_over_tokens_are_whole_in_the_text() -> None:
    assert run([*tokens_of("café 漢字"), END]).text == "café 漢字"


def test_bytes_that_are_no_text_become_replacement_characters_with_a_flag() -> None:
    outcome = run([*tokens_of("é")[:1], *tokens_of("z"), END])
    assert (outcome.text, outcome.flags) == ("\ufffdz", ("invalid_utf8",))


def test_a_character_cut_by_the_limit_is_flagged() -> None:
    outcome = run(tokens_of("漢"), limit=2)
    assert (outcome.text, outcome.finish, outcome.flags) == ("\ufffd", "length", ("invalid_utf8",))


def test_a_prompt_longer_than_the_window_fails_with_its_numbers() -> None:
    outcome = generate_text(FakeWeights(context_tokens=4), "uvwxyz", GenerationParams(max_new_tokens=1))
    assert outcome == CallFailure("context-overflow", "the prompt: 6 tokens do not fit, the context window holds 4")


def test_an_empty_prompt_fails_where_no_bos_is_added_and_is_answered_where_one_is() -> None:
    params = GenerationParams(max_new_tokens=1)
    failure = generate_text(FakeWeights(), "", params)
    assert isinstance(failure, CallFailure)
    assert failure.error == "empty-context"
    assert isinstance(generate_text(FakeWeights(adds_bos=True), "", params), Generation)


@pytest.mark.parametrize("weights", [FakeWeights(fault="decode returned 1"), FakeWeights(bad_logits=True)])
def test_a_fault_of_the_runtime_is_a_failure_and_no_exception(weights: FakeWeights) -> None:
    outcome = generate_text(weights, "x", GenerationParams(max_new_tokens=1))
    assert isinstance(outcome, CallFailure)
    assert outcome.error == "backend"


def test_a_prompt_with_a_bos_of_its_own_is_flagged_where_the_model_adds_one() -> None:
    outcome = generate_text(FakeWeights(adds_bos=True, script=[END]), "<s>x", GenerationParams(max_new_tokens=1))
    assert isinstance(outcome, Generation)
    assert outcome.flags == ("double_bos",)


def test_a_rendered_text_with_a_bos_gets_no_second_one() -> None:
    weights = FakeWeights(adds_bos=True, script=[END])
    outcome = generate_text(weights, "<s>x", GenerationParams(max_new_tokens=1), is_rendered=True)
    assert isinstance(outcome, Generation)
    assert weights.calls[0][0] == (BOS, *tokens_of("x"))
    assert (outcome.sent, outcome.flags) == ("<s>x", ())


def sampled(prompt: str, seed: int) -> tuple[int, ...]:
    params = GenerationParams(max_new_tokens=12, temperature=1.0, seed=seed)
    outcome = generate_text(FakeWeights(), prompt, params)
    assert isinstance(outcome, Generation)
    return outcome.token_ids


def test_sampling_repeats_by_seed_and_prompt_and_changes_with_either() -> None:
    assert sampled("xyz", 1) == sampled("xyz", 1)
    assert sampled("xyz", 1) != sampled("xyz", 2)


@given(seed=st.integers(0, 2**63), prompt=st.text(), step=st.integers(0, 9999))
def test_a_draw_is_a_fraction_of_its_own_for_each_seed_prompt_and_step(seed: int, prompt: str, step: int) -> None:
    drawn = _draw_fraction(seed, prompt, step)
    assert 0 <= drawn < 1
    others = {_draw_fraction(seed + 1, prompt, step), _draw_fraction(seed, prompt + "x", step)}
    assert drawn not in others | {_draw_fraction(seed, prompt, step + 1)}


def test_draws_are_spread_evenly() -> None:
    drawn = [_draw_fraction(0, f"prompt {number}", 0) for number in range(4000)]
    tenths = Counter(int(value * 10) for value in drawn)
    assert all(320 < tenths[tenth] < 480 for tenth in range(10))


def test_draws_follow_the_probabilities() -> None:
    """One token of logit 50 among 260 standard normal ones: sure when cold, about one half at temperature 9."""
    wanted = tokens_of("q")[0]
    cold = [
        generate_text(
            FakeWeights(script=[wanted]), "xyz", GenerationParams(max_new_tokens=1, temperature=1.0, seed=seed)
        )
        for seed in range(50)
    ]
    assert all(isinstance(each, Generation) and each.token_ids == (wanted,) for each in cold)
    hot = [
        generate_text(
            FakeWeights(script=[wanted]), "xyz", GenerationParams(max_new_tokens=1, temperature=9.0, seed=seed)
        )
        for seed in range(400)
    ]
    share = sum(isinstance(each, Generation) and each.token_ids == (wanted,) for each in hot) / 400
    assert 0.3 < share < 0.7  # e^(50/9) / (e^(50/9) + 260 · e^(1/162)) is 0.498


@pytest.mark.parametrize(
    "params",
    [
        GenerationParams(max_new_tokens=0),
        GenerationParams(max_new_tokens=1, temperature=-1.0),
        GenerationParams(max_new_tokens=1, temperature=float("nan")),
        GenerationParams(max_new_tokens=1, stop=("",)),
    ],
)
def test_parameters_that_no_call_could_obey_are_refused(params: GenerationParams) -> None:
    with pytest.raises(ModelError):
        check_params(params)
