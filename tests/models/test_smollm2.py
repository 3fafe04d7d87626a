"""The real model as it is opened by default: repeats, joins, texts (contract-bench §4)."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores, Generation, GenerationParams, Model

pytestmark = pytest.mark.model


def ask(model: Model, requests: list[ChoiceRequest]) -> list[ChoiceScores]:
    outcomes = model.score_choices(requests)
    scored = [outcome for outcome in outcomes if isinstance(outcome, ChoiceScores)]
    assert len(scored) == len(requests)
    return scored


@pytest.fixture(scope="module")
def reference_items(shared: Path) -> list[dict[str, Any]]:
    """81 items of BIG-bench physical_intuition: contexts and continuations."""
    document = json.loads((shared / "data/reference-scores/ref-smollm2-b.json").read_bytes())
    items: list[dict[str, Any]] = document["samples"]["local_bb_physical_intuition"]
    return items


@pytest.fixture(scope="module")
def outcomes(smollm2: Model, reference_items: list[dict[str, Any]]) -> list[ChoiceScores]:
    return ask(smollm2, [ChoiceRequest(item["ctx"], tuple(item["conts"])) for item in reference_items[:6]])


def test_repeats_are_bit_identical_whatever_stood_before(
    smollm2: Model, outcomes: list[ChoiceScores], reference_items: list[dict[str, Any]]
) -> None:
    chosen = [4, 1, 3]
    again = ask(smollm2, [ChoiceRequest(reference_items[i]["ctx"], tuple(reference_items[i]["conts"])) for i in chosen])
    assert again == [outcomes[i] for i in chosen]


def test_a_generation_between_leaves_likelihoods_untouched(
    smollm2: Model, outcomes: list[ChoiceScores], reference_items: list[dict[str, Any]]
) -> None:
    smollm2.generate(["Once upon a time"], GenerationParams(max_new_tokens=5))
    item = reference_items[0]
    assert ask(smollm2, [ChoiceRequest(item["ctx"], tuple(item["conts"]))]) == [outcomes[0]]


PROMPT = "Question: What is the capital city of Malaysia?\nAnswer:"


def say(model: Model, prompt: str, params: GenerationParams) -> Generation:
    outcome = model.generate([prompt], params)[0]
    assert isinstance(outcome, Generation), outcome
    return outcome


def test_greedy_text_is_the_known_one(smollm2: Model) -> None:
    outcome = say(smollm2, PROMPT, GenerationParams(max_new_tokens=24, stop=("\n",)))
    assert outcome.text == " The capital city of Malaysia is Kuala Lumpah.\n"
    assert (outcome.finish, outcome.prompt_tokens, len(outcome.token_ids)) == ("stop", 13, 14)


def test_a_seed_repeats_a_sampled_text_and_another_changes_it(smollm2: Model) -> None:
    texts = [
        say(smollm2, PROMPT, GenerationParams(max_new_tokens=8, temperature=1.5, seed=seed)).text for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_the_chat_template_is_the_models_own(smollm2: Model) -> None:
    outcome = say(smollm2, "Say hello.", GenerationParams(max_new_tokens=12, chat_template="always"))
    assert outcome.sent is not None
    assert outcome.sent.startswith("<|im_start|>system\nYou are a helpful AI assistant named SmolLM")
    assert outcome.sent.endswith("<|im_start|>user\nSay hello.<|im_end|>\n<|im_start|>assistant\n")
    assert smollm2.info().has_chat_template


def test_identity_names_weights_and_what_they_were_made_from(smollm2: Model) -> None:
    identity = smollm2.info().identity
    assert identity["made_from_sha256"] == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert identity["quantization"] == "F16 from Q4_1"
    assert (identity["family"], identity["variant"]) == ("smollm2", "instruct")
    known = "fea43f3ffef83a020894679eb91b2ab0127287d657a7313b47ba9c411dd4d47f"
    assert identity["weights_sha256"] == known or smollm2.info().extra["notes"]


def test_an_item_longer_than_the_window_fails_with_numbers(smollm2: Model) -> None:
    outcome = smollm2.score_choices([ChoiceRequest("word " * 5000, (" a", " b"))])[0]
    assert not isinstance(outcome, ChoiceScores)
    assert outcome.error == "context-overflow"
    assert "4,096" in outcome.detail


def test_weights_on_disk_are_unchanged(smollm2: Model) -> None:
    smollm2.check_unchanged()


def test_a_token_over_the_join_is_flagged_and_scored_from_the_last_common_boundary(smollm2: Model) -> None:
    outcome = ask(smollm2, [ChoiceRequest("The capital of France is ", ("Paris", "Rome"))])[0]
    clean = ask(smollm2, [ChoiceRequest("The capital of France is", (" Paris", " Rome"))])[0]
    assert (outcome.join_token, clean.join_token) == (True, False)
    assert outcome.candidates == clean.candidates


def test_a_candidate_that_merges_into_the_context_is_scored_whole_and_flagged(smollm2: Model) -> None:
    """Cut at the number of the context's tokens, as lm-eval does, nothing of it would be left (issue 1053 there)."""
    outcome = ask(smollm2, [ChoiceRequest("They sat in a caf", ("e", " house"))])[0]
    assert outcome.join_token
    assert all(candidate.token_ids for candidate in outcome.candidates)


def test_a_character_of_several_tokens_cut_by_the_token_limit_is_flagged_and_kept_as_text(smollm2: Model) -> None:
    prompt = "你好你好你好你好你好你"
    half, whole = (smollm2.generate([prompt], GenerationParams(max_new_tokens=tokens))[0] for tokens in (1, 2))
    assert isinstance(half, Generation)
    assert isinstance(whole, Generation)
    assert ("\ufffd" in half.text, half.flags) == (True, ("invalid_utf8",))
    assert ("\ufffd" in whole.text, whole.flags) == (False, ())


def test_an_empty_context_is_the_bos_of_a_model_that_adds_none_and_flagged(smollm2: Model) -> None:
    outcome = ask(smollm2, [ChoiceRequest("", ("Paris", "Rome"))])[0]
    named = ask(smollm2, [ChoiceRequest("<|im_start|>", ("Paris", "Rome"))])[0]
    assert (outcome.context_tokens, outcome.flags) == (1, ("prefix_token",))
    assert named.context_tokens > 1
    assert outcome.candidates != named.candidates


def test_control_tokens_in_data_stay_plain_text(smollm2: Model) -> None:
    outcome = ask(smollm2, [ChoiceRequest("Q", (" <|im_end|>",))])[0]
    assert len(outcome.candidates[0].token_ids) > 2


def test_a_lone_surrogate_is_a_failure_and_no_exception(smollm2: Model) -> None:
    outcome = smollm2.score_choices([ChoiceRequest("Q\ud800", (" a",))])[0]
    assert isinstance(outcome, CallFailure)
    assert outcome.error == "backend"


def test_neither_loading_nor_calls_write_to_standard_output_or_error(smollm2: Model, weights_cache: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from benchproof.models import *\n"
        "model = open_model('smollm2', cache_dir=Path(sys.argv[1]))\n"
        "model.score_choices([ChoiceRequest('Q', (' a',))])\n"
        "model.generate(['Q'], GenerationParams(max_new_tokens=2))\n"
        "model.close()\n"
    )
    result = subprocess.run([sys.executable, "-c", script, str(weights_cache)], capture_output=True, check=True)
    assert (result.stdout, result.stderr) == (b"", b"")
