"""``shared`` and ``passage`` on the real F16 model: bounds, flips, and bits that no neighbour changes.

``BENCHPROOF_PROOF=full`` asks all 81 reference items and all 60 passages (minutes); without it a sample is taken.
"""

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchproof.archive import candidate_texts, render_prompt, shared_prefix_text
from benchproof.harness import compile_bench, find_bench
from benchproof.measure import pick_first_max
from benchproof.models import BatchingMethod, ChoiceRequest, ChoiceScores, Model, open_model

pytestmark = pytest.mark.model

BOUND = 0.02
IS_FULL = os.environ.get("BENCHPROOF_PROOF") == "full"
Ask = tuple[ChoiceRequest, str | None]


@dataclass
class Ways:
    """The same weights, opened once a method."""

    models: dict[BatchingMethod, Model]

    def ask(self, method: BatchingMethod, asks: list[Ask]) -> list[ChoiceScores]:
        outcomes = [self.models[method].score_choices([request], prefix)[0] for request, prefix in asks]
        scores = [outcome for outcome in outcomes if isinstance(outcome, ChoiceScores)]
        assert len(scores) == len(asks)
        return scores


@pytest.fixture(scope="module")
def ways(smollm2: Model, weights_cache: Path) -> Iterator[Ways]:
    assert smollm2.info().identity["quantization"] == "F16 from Q4_1"
    methods: list[BatchingMethod] = ["exact", "shared", "passage"]
    opened = Ways(
        {method: open_model("smollm2", cache_dir=weights_cache, batching=method, context=1024) for method in methods}
    )
    yield opened
    for model in opened.models.values():
        model.close()


@pytest.fixture(scope="module")
def reference_items(shared: Path) -> list[Ask]:
    document = json.loads((shared / "data/reference-scores/ref-smollm2-b.json").read_bytes())
    items: list[dict[str, Any]] = document["samples"]["local_bb_physical_intuition"]
    return [(ChoiceRequest(item["ctx"], tuple(item["conts"])), None) for item in items]


@pytest.fixture(scope="module")
def starter_items() -> list[Ask]:
    """The reading items of the starter in both languages, in file order: two questions a passage."""
    bench = compile_bench(find_bench("starter"), axes=["reading"])
    return [
        (
            ChoiceRequest(render_prompt(axis, item), tuple(text for _choice, text in candidate_texts(axis, item))),
            shared_prefix_text(axis, item),
        )
        for key, axis in bench.axes.items()
        for item in bench.items[key]
    ]


def sums(outcome: ChoiceScores) -> list[float]:
    return [math.fsum(candidate.token_logprobs) for candidate in outcome.candidates]


def compare(exact: list[ChoiceScores], other: list[ChoiceScores], asks: list[Ask]) -> tuple[float, int]:
    """The largest difference of a candidate's log-likelihood, and choices by bytes that differ."""
    largest, flips = 0.0, 0
    for one, two, (request, _prefix) in zip(exact, other, asks, strict=True):
        pair = sums(one), sums(two)
        largest = max(largest, *(abs(left - right) for left, right in zip(*pair, strict=True)))
        lengths = [len(text.strip().encode()) for text in request.continuations]
        picks = {pick_first_max([v / n for v, n in zip(row, lengths, strict=True)])[0] for row in pair}
        flips += len(picks) - 1
    return largest, flips


def demand_close(ways: Ways, method: BatchingMethod, asks: list[Ask]) -> None:
    """contract-bench §4: within 0.02 nat of exact on F16, and no choice flips."""
    got = ways.ask(method, asks)
    assert {(outcome.batching, outcome.flags) for outcome in got} == {(method, ())}
    largest, flips = compare(ways.ask("exact", asks), got, asks)
    assert largest <= BOUND
    assert flips == 0


def test_shared_is_close_to_exact_on_the_81_reference_items(ways: Ways, reference_items: list[Ask]) -> None:
    assert len(reference_items) == 81
    demand_close(ways, "shared", reference_items if IS_FULL else reference_items[::7])


def test_passage_is_close_to_exact_on_the_starters_passages(ways: Ways, starter_items: list[Ask]) -> None:
    assert len(starter_items) == 120
    shortest = min(range(0, 120, 2), key=lambda index: len(starter_items[index][1] or ""))
    demand_close(ways, "passage", starter_items if IS_FULL else starter_items[shortest : shortest + 2])


SHORT: list[Ask] = [
    (ChoiceRequest(f"{passage} {question}", texts), prefix)
    for passage, prefix in (
        ("The ferry leaves at seven. On Fridays it leaves at nine.",) * 2,
        ("Sugar dissolves in water, and oil floats on it.",) * 2,
        ("Nothing is shared here.", None),
    )
    for question, texts in (
        ("When does it leave?", (" At seven.", " At nine.", " Never, as far as the text says.")),
        ("What floats?", (" Oil", " Sugar")),
    )
]


@pytest.fixture(scope="module")
def alone(ways: Ways) -> dict[BatchingMethod, list[ChoiceScores]]:
    """Each short item asked of a model that something else was asked before."""
    answers: dict[BatchingMethod, list[ChoiceScores]] = {}
    for method in ways.models:
        answers[method] = []
        for ask in SHORT:
            ways.ask(method, [(ChoiceRequest("Something else stands here", (" now", " then")), None)])
            answers[method] += ways.ask(method, [ask])
    return answers


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(len(SHORT))), count=st.integers(1, len(SHORT)))
@pytest.mark.parametrize("method", ["exact", "shared", "passage"])
def test_order_and_neighbours_change_no_bit(
    method: BatchingMethod,
    ways: Ways,
    alone: dict[BatchingMethod, list[ChoiceScores]],
    order: list[int],
    count: int,
) -> None:
    """contract-bench §4: "The batch shape of an item depends on that item and its passage text alone"."""
    chosen = order[:count]
    assert ways.ask(method, [SHORT[index] for index in chosen]) == [alone[method][index] for index in chosen]
