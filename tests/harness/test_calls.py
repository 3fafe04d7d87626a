import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchproof.harness import compile_bench
from benchproof.harness.calls import ask_items, describe_params, escape_surrogates, find_score_fault, read_params
from benchproof.models import (
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    ModelClosedError,
)
from benchproof.records.bench import GenerationSettings
from harness.fakes import FakeModel

TINY = compile_bench(Path(__file__).resolve().parent / "tiny")
GOOD = CandidateScore((1, 2), (-1.0, -2.0), is_greedy=False)


def scores(*candidates: CandidateScore) -> ChoiceScores:
    return ChoiceScores(candidates, context_tokens=3, join_token=False, batching="exact")


def test_sampled_decoding_states_its_seed_and_greedy_decoding_does_not() -> None:
    assert "seed" not in describe_params(GenerationParams(4, seed=7))
    assert describe_params(GenerationParams(4, ("\n",), 0.7, seed=7)) == {
        "max_new_tokens": 4,
        "stop": ["\n"],
        "temperature": 0.7,
        "seed": 7,
    }


def test_the_seed_of_a_run_is_the_seed_of_its_sampling() -> None:
    axis = dict(TINY.axes["facts.en"])
    axis["generation"] = GenerationSettings(max_new_tokens=4, stop=[], temperature=0.7)
    model = FakeModel()
    ask_items(model, axis, TINY.items["facts.en"][:1], seed=11)  # type: ignore[arg-type]
    assert [(params.temperature, params.seed) for params in model.params] == [(0.7, 11)]


def test_auto_sends_prompts_raw() -> None:
    assert read_params(TINY.axes["facts.en"], seed=0).chat_template == "none"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (scores(GOOD), "1 scores for 2 candidates"),
        (scores(GOOD, CandidateScore((), (), is_greedy=False)), "candidate 1 has no log-probability for each"),
        (scores(GOOD, CandidateScore((1,), (-1.0, -2.0), is_greedy=False)), "candidate 1 has no log-probability"),
        (scores(GOOD, CandidateScore((1,), (float("inf"),), is_greedy=False)), "candidate 1 has a log-probability"),
        (scores(GOOD, CandidateScore((1,), (0.5,), is_greedy=False)), "candidate 1 has a log-probability above 0"),
    ],
)
def test_likelihoods_that_cannot_be_used_say_why(answer: ChoiceScores, fault: str) -> None:
    assert (find_score_fault(answer, 2) or "").startswith(fault)


def test_likelihoods_that_can_be_used_have_no_fault() -> None:
    assert find_score_fault(scores(GOOD, GOOD), 2) is None


class Silent(FakeModel):
    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        return []

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        return [Generation("a", (1,), 1, "stop")] * (len(prompts) + 1)


@pytest.mark.parametrize("key", ["reading.en", "facts.en"])
def test_another_number_of_answers_than_requests_is_a_failure_of_each(key: str) -> None:
    lines = ask_items(Silent(), TINY.axes[key], TINY.items[key][:1], seed=0)
    assert [line.get("error") for line in lines] == ["bad-response"]


def test_an_error_of_the_model_as_a_whole_is_raised_and_not_recorded() -> None:
    def close(_number: int, _context: str) -> None:
        raise ModelClosedError("the model is closed")

    with pytest.raises(ModelClosedError):
        ask_items(FakeModel(before=close), TINY.axes["facts.en"], TINY.items["facts.en"][:1], seed=0)


def test_the_text_that_a_template_made_is_recorded_as_sent() -> None:
    class Templated(FakeModel):
        def _say(self, prompt: str) -> Generation:
            return dataclasses.replace(super()._say(prompt), sent=f"<user>{prompt}</user>")

    (line,) = ask_items(Templated(), TINY.axes["facts.en"], TINY.items["facts.en"][:1], seed=0)
    assert line["sent"] == f"<user>{line['prompt']}</user>"  # type: ignore[typeddict-item]


@pytest.mark.parametrize("text", ["", "plain", "é 日本 🎉", "\x00\u2028"])
def test_text_that_json_can_hold_is_left_as_it_is(text: str) -> None:
    assert escape_surrogates(text) == (text, False)
