"""``exact`` against likelihoods that another program got from the same files and runtime.

They were made on AVX2 without AVX-512. Another processor goes through other kernels: there the largest difference is
printed, and only a gross fault fails. ``BENCHPROOF_PROOF=full`` asks all items (minutes); without it a sample is taken.
"""

import json
import math
import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from benchproof.measure import pick_first_max
from benchproof.models import ChoiceRequest, ChoiceScores, Model, find_weights, open_model
from models.runtimes import RUNTIME, needs_ik

IS_FULL = os.environ.get("BENCHPROOF_PROOF") == "full"
SAME = 1e-6
INTUITION, ENTAILMENT = "local_bb_physical_intuition", "local_bb_analytic_entailment"
Item = tuple[ChoiceRequest, list[float]]


def read_items(shared: Path, file: str, task: str) -> list[Item]:
    """Requests and the log-likelihoods that each of their continuations should have."""
    samples = json.loads((shared / "data/reference-scores" / file).read_bytes())["samples"][task]
    return [(ChoiceRequest(one["ctx"], tuple(one["conts"])), one["ll"]) for one in samples]


def choose(sums: Sequence[float], request: ChoiceRequest, *, by_characters: bool) -> int:
    """The choice of ``acc`` or of ``acc_norm`` (code points of the text without its leading space)."""
    lengths = [len(text) - 1 if by_characters else 1 for text in request.continuations]
    return pick_first_max([total / length for total, length in zip(sums, lengths, strict=True)])[0]


def demand_same(
    model: Model, items: Sequence[Item], bound: float, capsys: pytest.CaptureFixture[str], *, count: int
) -> None:
    assert len(items) == count
    asked = items if IS_FULL else items[:: count // 10]
    largest, flips = 0.0, 0
    for request, expected in asked:
        outcome = model.score_choices([request])[0]
        assert isinstance(outcome, ChoiceScores)
        assert outcome.batching == "exact"
        sums = [math.fsum(candidate.token_logprobs) for candidate in outcome.candidates]
        largest = max(largest, *(abs(got - wanted) for got, wanted in zip(sums, expected, strict=True)))
        flips += sum(
            choose(sums, request, by_characters=way) != choose(expected, request, by_characters=way)
            for way in (False, True)
        )
    if largest <= SAME:
        assert flips == 0
        return
    with capsys.disabled():
        print(f"\nlargest difference to the reference on this processor: {largest:.3g} nat, {flips} flips")  # noqa: T201
    assert largest <= bound


@pytest.mark.model
def test_the_f16_weights_of_smollm2(
    smollm2: Model, shared: Path, weights_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert smollm2.info().identity["quantization"] == "F16 from Q4_1"
    rows = json.loads((shared / "data/reference-scores/ref81-ik-F16-naive.json").read_bytes())["naive"]
    requests = [request for request, _sums in read_items(shared, "ref-smollm2-b.json", INTUITION)]
    with closing(open_model("smollm2", cache_dir=weights_cache, batching="exact", context=512)) as model:
        bound = 0.02 if RUNTIME == "ik-llama-cpp-python" else 0.05
        demand_same(model, list(zip(requests, rows, strict=True)), bound, capsys, count=81)


@needs_ik
@pytest.mark.model
@pytest.mark.parametrize(("task", "count"), [(INTUITION, 81), (ENTAILMENT, 70)])
def test_the_quantised_file_of_smollm2(
    task: str, count: int, smollm2: Model, shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The packaged Q4_1 file itself, which the runtime gets wrong: the reference is as wrong, to the last bits."""
    assert smollm2.info().identity["quantization"] == "F16 from Q4_1"
    file = find_weights("smollm2").parts[0]
    with closing(open_model(f"gguf:{file}", cache_dir=tmp_path, context=512)) as model:
        demand_same(model, read_items(shared, "ref-smollm2-b.json", task), 8.0, capsys, count=count)


@needs_ik
@pytest.mark.gemma
def test_the_quantised_file_of_gemma(gemma: Model, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demand_same(gemma, read_items(shared, "ref-gemma-b.json", ENTAILMENT), 1.0, capsys, count=70)
