"""The real runtime's branches, asked as ``LoadedWeights`` without the layers above."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchproof.models import Model, bindings, find_weights
from benchproof.models.runtime import MAX_BRANCHES, LoadedWeights
from models.runtimes import RUNTIME

pytestmark = pytest.mark.model

STEM = "The ferry leaves the old harbour at seven, and the wind comes from"
BRANCHES = (" the west.", " the north, as it did all week.", " nowhere")
AROUND = 0.01 if RUNTIME == "ik-llama-cpp-python" else 0.05
"""Of logits, with F16 weights: the other library rounds what it multiplies them with to F16 too."""


@pytest.fixture(scope="module")
def weights(smollm2: Model, weights_cache: Path) -> Iterator[LoadedWeights]:
    """The F16 weights that ``smollm2`` was opened from."""
    prepared = find_weights("smollm2", cache_dir=weights_cache).prepared
    assert prepared is not None
    assert smollm2.info().identity["quantization"] == "F16 from Q4_1"
    loaded = bindings.find_binding().load(prepared, context_tokens=256, threads=1)
    yield loaded
    loaded.close()


@pytest.fixture(scope="module")
def stem(weights: LoadedWeights) -> list[int]:
    return weights.tokenize(STEM)


@pytest.fixture(scope="module")
def branches(weights: LoadedWeights) -> list[list[int]]:
    return [weights.tokenize(text) for text in BRANCHES]


def alone(weights: LoadedWeights, stem: Sequence[int], branch: Sequence[int]) -> NDArray[np.float32]:
    return weights.evaluate([*stem, *branch], rows_from=len(stem) - 1, rows_to=len(stem) + len(branch) - 1)


def distance(left: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    assert left.shape == right.shape
    return float(np.abs(left - right).max())


def same(left: Sequence[NDArray[np.float32]], right: Sequence[NDArray[np.float32]]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(left, right, strict=True))


@pytest.mark.parametrize("held", [0, 1, 9])
def test_a_branch_says_what_it_says_alone(
    held: int, weights: LoadedWeights, stem: list[int], branches: list[list[int]]
) -> None:
    if held:
        weights.hold(stem[:held])
    together = weights.evaluate_branches(stem, branches, held=held)
    for branch, rows in zip(branches, together, strict=True):
        assert distance(rows, alone(weights, stem, branch)) < AROUND


def test_what_another_branch_says_changes_no_bit(
    weights: LoadedWeights, stem: list[int], branches: list[list[int]]
) -> None:
    branch, beside, instead = branches[0], weights.tokenize(" to east."), branches[0][::-1]
    assert len(branch) == len(beside) == len(instead)
    assert same(
        weights.evaluate_branches(stem, [branch, beside])[:1], weights.evaluate_branches(stem, [branch, instead])[:1]
    )


def test_what_was_held_is_as_it_was_after_each_evaluation(
    weights: LoadedWeights, stem: list[int], branches: list[list[int]]
) -> None:
    held = len(stem) - 4
    weights.hold(stem[:held])
    first = weights.evaluate_branches(stem, branches, held=held)
    weights.evaluate_branches([*stem[:held], *reversed(stem)], [*branches, *branches], held=held)
    again = weights.evaluate_branches(stem, branches, held=held)
    weights.evaluate(stem, rows_from=0, rows_to=1)
    weights.hold(stem[:held])
    fresh = weights.evaluate_branches(stem, branches, held=held)
    assert same(first, again)
    assert same(first, fresh)


def test_nothing_is_left_of_branches_where_nothing_was_held(
    weights: LoadedWeights, stem: list[int], branches: list[list[int]]
) -> None:
    before = alone(weights, stem, branches[1])
    first = weights.evaluate_branches(stem, branches)
    weights.hold(stem)
    assert same(first, weights.evaluate_branches(stem, branches))
    assert same([before], [alone(weights, stem, branches[1])])


def test_as_many_branches_as_the_runtime_says_are_told_apart(weights: LoadedWeights, stem: list[int]) -> None:
    assert weights.max_branches == MAX_BRANCHES
    tokens = weights.tokenize(" one two three four five six seven eight nine ten eleven twelve more words stand here")
    branches = [[token] * 2 for token in tokens[:MAX_BRANCHES]]
    assert len(branches) == MAX_BRANCHES
    together = weights.evaluate_branches(stem, branches)
    assert distance(together[-1], alone(weights, stem, branches[-1])) < AROUND
