"""What does not fit the context window is said before the first call."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchproof.errors import ExitCode
from benchproof.harness import CompiledBench, HarnessError, compile_bench, describe_plan, plan_run, render_plan
from benchproof.harness.events import Note, RunStarted
from benchproof.harness.fitting import find_misfits
from benchproof.models import ChoiceRequest, GenerationParams, ModelInfo
from benchproof.records.bench import CompiledItem
from harness.fakes import Bench, FakeModel

TINY = Path(__file__).resolve().parent / "tiny"


@dataclass
class MeasuringModel(FakeModel):
    """A token is a word; ``window`` words fit, and ``trained`` is the widest window."""

    window: int = 100
    trained: int | None = None
    notes: tuple[str, ...] = ()

    def info(self) -> ModelInfo:
        extra: dict[str, Any] = {"notes": list(self.notes)}
        if self.trained is not None:
            extra["context_trained"] = self.trained
        return dataclasses.replace(super().info(), context_window=self.window, extra=extra)

    def find_choice_overflow(self, request: ChoiceRequest) -> int | None:
        return self._beyond(max(len((request.context + text).split()) for text in request.continuations))

    def find_prompt_overflow(self, prompt: str, params: GenerationParams) -> int | None:
        assert params.max_new_tokens > 0
        return self._beyond(len(prompt.split()))

    def _beyond(self, tokens: int) -> int | None:
        return tokens if tokens > self.window else None


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture
def tiny() -> CompiledBench:
    return compile_bench(TINY, languages=["en"])


def lengths(tiny: CompiledBench) -> dict[str, int]:
    """Words of each item, by item id, from a model that holds none."""
    plan = plan_run(None, tiny, MeasuringModel(window=0), model_spec="fake")
    return {item: tokens for misfit in plan.misfits for item, tokens in misfit.too_long}


def test_items_that_do_not_fit_are_counted_and_named_before_the_first_call(bench: Bench, tiny: CompiledBench) -> None:
    of_reading = {item["item_id"]: lengths(tiny)[item["item_id"]] for item in tiny.items["reading.en"]}
    longest = max(of_reading, key=lambda item: of_reading[item])
    window = of_reading[longest] - 1
    others = [item for item, tokens in of_reading.items() if tokens > window]
    bench.run(tiny, MeasuringModel(window=window))
    started = next(number for number, event in enumerate(bench.events) if isinstance(event, RunStarted))
    notes = [event.text for event in bench.events[:started] if isinstance(event, Note)]
    [told] = [note for note in notes if note.startswith("reading.en: ")]
    assert told.startswith(f"reading.en: {len(others)} of 3 items do not fit the context window of {window} tokens: ")
    assert f"{longest} ({window + 1} tokens)" in told
    assert f"the longest needs {window + 1} (--context {window + 1} holds them)" in told


def test_a_window_that_the_model_cannot_have_is_not_advised(tiny: CompiledBench) -> None:
    [*_, last] = plan_run(None, tiny, MeasuringModel(window=5, trained=6), model_spec="fake").misfits
    assert str(last).endswith("(the model ends at 6)")


def test_three_are_named_and_the_rest_counted(tiny: CompiledBench) -> None:
    [misfit, *_] = plan_run(None, tiny, MeasuringModel(window=0), model_spec="fake").misfits
    many = dataclasses.replace(misfit, too_long=tuple((f"en/{number}", number) for number in range(1, 8)))
    assert "en/1 (1 tokens), en/2 (2 tokens), en/3 (3 tokens) and 4 more; the longest needs 7" in str(many)


def test_a_plan_says_what_does_not_fit_without_a_call(tiny: CompiledBench) -> None:
    model = MeasuringModel(window=max(lengths(tiny).values()) - 1)
    plan = plan_run(None, tiny, model, model_spec="fake")
    assert model.calls == []
    assert plan.misfits
    said = " ".join(render_plan(plan).split())
    assert [str(misfit) for misfit in plan.misfits if f"too long: {misfit}" not in said] == []
    assert describe_plan(plan)["do_not_fit"] == [
        {
            "axis": misfit.axis_key,
            "context_window": model.window,
            "items": [{"item": item, "tokens": tokens} for item, tokens in misfit.too_long],
        }
        for misfit in plan.misfits
    ]


def test_what_fits_exactly_is_no_misfit(tiny: CompiledBench) -> None:
    model = MeasuringModel(window=max(lengths(tiny).values()))
    assert plan_run(None, tiny, model, model_spec="fake").misfits == ()


def test_an_excluded_item_is_not_measured(tiny: CompiledBench) -> None:
    of_items = lengths(tiny)
    longest = max(of_items.values())
    for key, items in tiny.items.items():
        tiny.items[key] = [
            {**item, "excluded": True, "exclusion_reason": "too long"} if of_items[item["item_id"]] == longest else item
            for item in items
        ]
    assert plan_run(None, tiny, MeasuringModel(window=longest - 1), model_spec="fake").misfits == ()


def test_items_are_measured_one_by_one_and_never_held_together(tiny: CompiledBench) -> None:
    seen, read = [0], []

    class Items(list[CompiledItem]):
        def __iter__(self) -> Iterator[CompiledItem]:
            for item in super().__iter__():
                seen[0] += 1
                yield item

    class Watching(MeasuringModel):
        def _beyond(self, tokens: int) -> int | None:
            read.append(seen[0])
            return super()._beyond(tokens)

    tiny.items.update({key: Items(items) for key, items in tiny.items.items()})
    assert find_misfits(tiny, Watching(window=10_000)) == []
    assert read == list(range(1, 7))


def test_a_model_that_cannot_measure_is_asked_without_a_word(bench: Bench, tiny: CompiledBench) -> None:
    assert plan_run(None, tiny, FakeModel(), model_spec="fake").misfits == ()
    bench.run(tiny, FakeModel())
    assert not [note for note in bench.told(Note) if "do not fit" in note.text]


def test_a_bench_of_which_nothing_fits_is_refused_before_a_run_is_opened(bench: Bench, tiny: CompiledBench) -> None:
    longest = max(lengths(tiny).values())
    with pytest.raises(HarnessError, match=rf"no item of the bench fits.*got 1 tokens; expected {longest}") as caught:
        bench.run(tiny, MeasuringModel(window=1))
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert list((bench.root / "runs").iterdir()) == []
    assert not list((bench.root / ".staging").glob("run-*"))


def test_what_is_noted_of_the_weights_is_told_by_plan_and_run(bench: Bench, tiny: CompiledBench) -> None:
    model = MeasuringModel(window=512, notes=("these weights are odd",))
    assert "  note: fake: these weights are odd" in render_plan(plan_run(None, tiny, model, model_spec="fake"))
    bench.run(tiny, model)
    assert Note("fake: these weights are odd") in bench.events
