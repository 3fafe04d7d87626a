"""A text that makes a model compute what is no number costs its own answer and nobody else's.

Cells that it filled are free again and not overwritten; a masked cell that holds no number still spoils a sum.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchproof.models import (
    BatchingMethod,
    CallFailure,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    Model,
    open_model,
)
from benchproof.models.likelihoods import ChoiceScorer
from models.fakes import FakeWeights
from models.runtimes import needs_runtime
from models.tiny_gguf import TOKENS, tiny_gguf, tiny_shapes

ROW_BYTES = 4 * tiny_shapes()["token_embd.weight"][0]
GOOD = ChoiceRequest("a a c", ("a", "c"))
BAD = ChoiceRequest("a a c b c a a c", ("a c a", "c a c"))
LAST = ChoiceRequest("a a c a c a c a c", ("a c", "a cb"))
PARAMS = GenerationParams(max_new_tokens=4, stop=(), temperature=0.0, seed=0, chat_template="none")


def spoil(data: bytes, token: str) -> bytes:
    """The tiny model with no number in the embedding of a token, which is the first tensor of the file."""
    sizes = [4 * int(np.prod(shape)) for shape in tiny_shapes().values()]
    begin = len(data) - sum(size + -size % 32 for size in sizes) + TOKENS.index(token) * ROW_BYTES
    return data[:begin] + np.full(ROW_BYTES // 4, np.nan, "<f4").tobytes() + data[begin + ROW_BYTES :]


@pytest.fixture(params=["exact", "shared", "passage"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Model]:
    method: BatchingMethod = request.param
    path = tmp_path / "spoilt.gguf"
    path.write_bytes(spoil(tiny_gguf(), "b"))
    opened = open_model(str(path), cache_dir=tmp_path, batching=method)
    yield opened
    opened.close()


@needs_runtime
def test_an_item_without_numbers_spoils_no_other_items_answer(model: Model) -> None:
    """contract-bench §4: "An item's result does not depend on its neighbours", bit for bit."""
    [before] = model.score_choices([GOOD], "a a")
    assert isinstance(before, ChoiceScores)
    for other in (BAD, LAST):
        [spoilt] = model.score_choices([other], "a a")
        assert isinstance(spoilt, CallFailure)
        assert model.score_choices([GOOD], "a a") == [before]
        assert model.score_choices([other], "a a") == [spoilt]


@needs_runtime
def test_a_prompt_without_numbers_spoils_no_other_prompts_text(model: Model) -> None:
    [before] = model.generate(["a a c"], PARAMS)
    assert isinstance(before, Generation)
    [spoilt] = model.generate(["a a c b c a a c a a c"], PARAMS)
    assert isinstance(spoilt, CallFailure)
    assert model.generate(["a a c"], PARAMS) == [before]
    assert isinstance(model.score_choices([GOOD])[0], ChoiceScores)


def test_an_item_that_never_has_numbers_is_asked_twice_and_no_more() -> None:
    weights = FakeWeights(bad_logits=True)
    assert isinstance(ChoiceScorer(weights).score(ChoiceRequest("x", ("q",))), CallFailure)
    assert len(weights.calls) == 2
