"""A model that should have a BOS before its texts and has none is said when it is opened."""

from pathlib import Path
from typing import Any

import pytest

from benchproof.models.gguf_opening import open_file
from models.fakes import BOS, FACTS, FakeBinding, FakeWeights, gguf_bytes

ADDS, BOS_ID = "tokenizer.ggml.add_bos_token", "tokenizer.ggml.bos_token_id"


def notes(folder: Path, weights: FakeWeights, **changes: Any) -> list[str]:
    file = folder / "fake.gguf"
    facts = {**FACTS, **{key.replace("__", "."): value for key, value in changes.items()}}
    file.write_bytes(gguf_bytes({key: value for key, value in facts.items() if value is not None}))
    found: list[str] = open_file(file, binding=FakeBinding(weights)).info().extra["notes"]
    return [note for note in found if note.startswith("missing_bos")]


@pytest.mark.parametrize(
    ("facts", "weights", "words"),
    [
        ({ADDS: True}, FakeWeights(bos=None), "its vocabulary has none"),
        ({ADDS: True, BOS_ID: None}, FakeWeights(adds_bos=True, bos=99), "takes token 99, which is ordinary text"),
        ({"general.architecture": "gemma3", "gemma3.context_length": 64}, FakeWeights(), "likelihoods of gemma3"),
        ({"tokenizer.chat_template": "{{ bos_token }}"}, FakeWeights(bos=None), "the chat template begins with BOS"),
    ],
)
def test_a_missing_bos_is_a_note_that_says_why(
    facts: dict[str, Any], weights: FakeWeights, words: str, tmp_path: Path
) -> None:
    [note] = notes(tmp_path, weights, **facts)
    assert words in note


@pytest.mark.parametrize(
    ("facts", "weights"),
    [
        ({ADDS: False}, FakeWeights()),
        ({ADDS: True, BOS_ID: BOS}, FakeWeights(adds_bos=True)),
        ({"general.architecture": "gemma3", "gemma3.context_length": 64}, FakeWeights(adds_bos=True)),
        ({"tokenizer.chat_template": "{{ bos_token }}"}, FakeWeights()),
    ],
)
def test_a_model_that_has_what_it_asks_for_is_opened_without_a_word(
    facts: dict[str, Any], weights: FakeWeights, tmp_path: Path
) -> None:
    assert notes(tmp_path, weights, **facts) == []
