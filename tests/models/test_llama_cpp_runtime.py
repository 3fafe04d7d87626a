"""llama-cpp-python alone: on F32 weights with an F32 cache, one decode an item says what one a candidate says."""

import math
import subprocess
from collections.abc import Iterator

import numpy as np
import pytest

from benchproof.models import find_weights
from benchproof.models.likelihoods import log_softmax_at
from benchproof.models.llama_cpp_runtime import LlamaCppBinding
from benchproof.models.quantizer import find_quantizer_program
from benchproof.models.runtime import LoadedWeights
from models.runtimes import needs_llama_cpp

pytestmark = [needs_llama_cpp, pytest.mark.model]

SAME = 1e-4
ITEMS = [
    (
        "The ferry leaves the old harbour at seven. Question: when does it leave?\nAnswer:",
        (" At seven.", " At noon", " Never"),
    ),
    ("A ball is dropped from a tower. What happens to its speed?\nAnswer:", (" It grows", " It stays the same.")),
    ("Soalan: Apakah ibu negara Malaysia?\nJawapan:", (" Kuala Lumpur", " Jakarta", " Bangkok", " Hanoi")),
]
HELD = 5


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedWeights]:
    """SmolLM2 turned into F32 (540 MB, removed after), with an F32 cache."""
    program, parts = find_quantizer_program(), find_weights("smollm2").parts
    if program is None or not parts:
        pytest.skip("the quantizer of ik-llama-cpp-python or the weights are not installed")
    path = tmp_path_factory.mktemp("f32") / "smollm2.gguf"
    try:
        command = [str(program), "--allow-requantize", str(parts[0]), str(path), "F32", "1"]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        loaded = LlamaCppBinding().load(path, context_tokens=512, threads=1, cache_type="f32")
    finally:
        path.unlink(missing_ok=True)  # the library has mapped it
    yield loaded
    loaded.close()


@pytest.mark.parametrize("held", [0, HELD], ids=["shared", "passage"])
@pytest.mark.parametrize(("context", "continuations"), ITEMS)
def test_a_shared_decode_gives_the_likelihoods_of_exact(
    context: str, continuations: tuple[str, ...], held: int, weights: LoadedWeights
) -> None:
    stem = weights.tokenize(context)
    branches = [weights.tokenize(text) for text in continuations]
    if held:
        weights.hold(stem[:held])
    together = weights.evaluate_branches(stem, branches, held=held)
    for branch, rows in zip(branches, together, strict=True):
        alone = weights.evaluate([*stem, *branch], rows_from=len(stem) - 1, rows_to=len(stem) + len(branch) - 1)
        assert rows.shape == alone.shape
        difference = math.fsum(log_softmax_at(rows, branch)) - math.fsum(log_softmax_at(alone, branch))
        assert abs(difference) <= SAME


def test_as_many_rows_as_are_asked_for_are_given(weights: LoadedWeights) -> None:
    tokens = weights.tokenize(ITEMS[0][0])
    rows = weights.evaluate(tokens, rows_from=0, rows_to=len(tokens))
    assert len({row.tobytes() for row in rows}) == len(tokens) > 10
    assert np.isfinite(rows).all()
