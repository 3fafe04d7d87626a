from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.errors import ExitCode
from benchproof.harness import (
    BatchingComparison,
    CompiledBench,
    HarnessError,
    compare_batching,
    compile_bench,
    describe_comparison,
    render_comparison,
)
from benchproof.harness.batching_comparison import draw_passages
from benchproof.models import (
    BatchingMethod,
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    ControlModel,
    Model,
)
from harness.fakes import EXACT, FakeModel

TINY = Path(__file__).resolve().parent / "tiny"
Opener = Callable[[BatchingMethod | None], Model]


@pytest.fixture(scope="module")
def tiny() -> CompiledBench:
    return compile_bench(TINY)


@dataclass
class Shifted(FakeModel):
    """Adds ``shift`` nat to the first candidate of each item; fails where ``fails``."""

    shift: float = 0.0
    fails: bool = False

    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        if self.fails:
            return [CallFailure("backend", "no")] * len(requests)
        return [self._shift(request) for request in requests]

    def _shift(self, request: ChoiceRequest) -> ChoiceScores:
        answer = self._score(request)
        assert isinstance(answer, ChoiceScores)
        first, *others = answer.candidates
        moved = CandidateScore(
            first.token_ids, (first.token_logprobs[0] - self.shift, *first.token_logprobs[1:]), False
        )
        return ChoiceScores((moved, *others), 1, join_token=False, batching="shared", flags=self.flags)


def opener(default: str = "passage", **of_shared: object) -> Opener:
    """``exact`` and ``passage`` answer alike; ``shared`` differs as said."""

    def open_in(method: BatchingMethod | None) -> Model:
        batching = EXACT.copy()
        batching["method"] = method or default
        return Shifted(batching=batching, **(of_shared if method == "shared" else {}))  # type: ignore[arg-type]

    return open_in


def compare(compiled: CompiledBench, open_in: Opener, sample: int = 3) -> BatchingComparison:
    seconds = count()
    return compare_batching(open_in, compiled, sample=sample, cpu_seconds=lambda: float(next(seconds)))


def test_equal_answers_differ_by_nothing_and_keep_the_bound(tiny: CompiledBench) -> None:
    comparison = compare(tiny, opener())
    assert [one.method for one in comparison.methods] == ["exact", "shared", "passage"]
    assert {(one.largest, one.median, one.flips) for one in comparison.methods} == {(0.0, 0.0, 0)}
    assert comparison.methods[1].candidates == comparison.items * 3
    assert comparison.exit_code is ExitCode.YES
    assert "0.02 nat and no flip: kept" in render_comparison(comparison)


def test_a_difference_is_measured_in_nat_of_a_candidate(tiny: CompiledBench) -> None:
    comparison = compare(tiny, opener(shift=0.015625))
    shared = comparison.methods[1]
    assert (shared.largest, shared.median, shared.flips) == (0.015625, 0.0, 0)
    assert comparison.exit_code is ExitCode.YES


@pytest.mark.parametrize(("shift", "flips"), [(0.03125, False), (100.0, True)])
def test_beyond_the_bound_of_unquantised_weights_the_answer_is_no(
    shift: float, flips: bool, tiny: CompiledBench
) -> None:
    comparison = compare(tiny, opener(shift=shift), sample=6)
    assert (comparison.methods[1].flips > 0) is flips
    assert comparison.exit_code is ExitCode.NO
    assert "BROKEN" in render_comparison(comparison)


def test_of_quantised_weights_nothing_is_claimed(tiny: CompiledBench) -> None:
    comparison = compare(tiny, opener(default="exact", shift=100.0), sample=6)
    assert comparison.bound is None
    assert comparison.exit_code is ExitCode.YES
    assert "no bound is claimed" in render_comparison(comparison)


def test_an_item_without_an_answer_is_counted_and_compared_with_nothing(tiny: CompiledBench) -> None:
    comparison = compare(tiny, opener(fails=True))
    shared = comparison.methods[1]
    assert (shared.answered, shared.largest, shared.median) == (0, None, None)
    assert comparison.exit_code is ExitCode.CANNOT_TELL
    text = render_comparison(comparison)
    assert f"({comparison.items} without an answer)" in text
    assert "cannot tell" in text


def test_items_that_fell_back_are_counted(tiny: CompiledBench) -> None:
    comparison = compare(tiny, opener(flags=("fell_back_exact",)))
    assert [one.fell_back for one in comparison.methods] == [0, comparison.items, 0]
    assert f"({comparison.items} in another method)" in render_comparison(comparison)


def test_a_model_without_likelihoods_is_refused(tiny: CompiledBench) -> None:
    with pytest.raises(HarnessError, match="computes no likelihoods"):
        compare(tiny, lambda _method: ControlModel("first"))


def test_a_bench_without_choices_is_refused() -> None:
    with pytest.raises(HarnessError, match="no choice item"):
        compare(compile_bench(TINY, axes=["facts"]), opener())


def test_each_method_is_told_of_on_the_way(tiny: CompiledBench) -> None:
    told: list[tuple[int, int]] = []
    compare_batching(
        opener(), tiny, sample=1, cpu_seconds=lambda: 0.0, progress=lambda done, planned: told.append((done, planned))
    )
    planned = told[0][1]
    assert told == [(done, planned) for done in range(1, planned + 1)]


def test_as_json_it_has_the_same_figures(tiny: CompiledBench) -> None:
    described = describe_comparison(compare(tiny, opener(shift=0.015625)))
    assert described["default"] == "passage"
    assert described["methods"][1]["largest"] == 0.015625


@given(sample=st.integers(1, 8))
def test_a_sample_is_made_of_whole_passages_and_grows_without_changing(sample: int, tiny: CompiledBench) -> None:
    drawn = draw_passages(tiny, sample)
    names = [(key, item["passage_id"]) for key, _axis, item in drawn]
    everything = [(key, item["passage_id"]) for key in ("reading.en", "reading.ms") for item in tiny.items[key]]
    assert min(sample, 6) <= len(drawn) <= sample + 1
    assert all(names.count(name) == everything.count(name) for name in names)
    assert drawn == draw_passages(tiny, sample + 1)[: len(drawn)]
