import pytest

from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores, Generation, GenerationParams, Model

pytestmark = pytest.mark.gemma


def test_identity_is_that_of_the_base_model(gemma: Model) -> None:
    info = gemma.info()
    assert (info.identity["variant"], info.identity["quantization"]) == ("base", "Q4_K_M")
    assert info.identity["weights_sha256"] == "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
    assert "made_from_sha256" not in info.identity
    assert info.extra["adds_bos"] is True


def test_a_bos_in_the_prompt_is_flagged(gemma: Model) -> None:
    outcome = gemma.score_choices([ChoiceRequest("<bos>The capital of France is", (" Paris",))])[0]
    assert isinstance(outcome, ChoiceScores)
    assert outcome.flags == ("double_bos",)


def test_a_candidate_that_merges_wholly_into_the_context_is_scored_and_flagged(gemma: Model) -> None:
    """lm-eval's cut at the number of the context's tokens loses all of it."""
    outcome = gemma.score_choices([ChoiceRequest("人", ("工智能", "们"))])[0]
    assert isinstance(outcome, ChoiceScores)
    assert outcome.join_token
    assert all(candidate.token_ids for candidate in outcome.candidates)


def test_the_base_model_has_no_chat_template(gemma: Model) -> None:
    assert not gemma.info().has_chat_template
    outcome = gemma.chat([{"role": "user", "content": "Hi"}], GenerationParams(max_new_tokens=1))
    assert isinstance(outcome, CallFailure)
    assert outcome.error == "chat-template"


def test_a_text_is_generated_behind_a_bos(gemma: Model) -> None:
    outcome = gemma.generate(["The capital of France is"], GenerationParams(max_new_tokens=3))[0]
    assert isinstance(outcome, Generation)
    assert (outcome.prompt_tokens, len(outcome.token_ids), outcome.finish) == (6, 3, "length")
    assert outcome.text.strip()
