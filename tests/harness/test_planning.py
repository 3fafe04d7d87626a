import dataclasses
import json
from pathlib import Path

import pytest

from benchproof.harness import CompiledBench, DroppedAxis, compile_bench, describe_plan, plan_run, render_plan
from benchproof.harness.plan_report import describe_seconds
from harness.fakes import Bench, FakeModel, identity

TINY = Path(__file__).resolve().parent / "tiny"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture
def tiny() -> CompiledBench:
    return compile_bench(TINY)


class CountingModel(FakeModel):
    def count_tokens(self, text: str) -> int:
        return len(text.split())


def test_a_plan_counts_items_calls_and_candidates_without_a_call(bench: Bench, tiny: CompiledBench) -> None:
    model = FakeModel()
    plan = plan_run(bench.root, tiny, model, model_spec="fake")
    assert model.calls == []
    assert [(axis.axis_key, axis.items, axis.calls, axis.continuations) for axis in plan.axes] == [
        ("facts.en", 3, 3, 0),
        ("facts.ms", 3, 3, 0),
        ("reading.en", 3, 3, 9),
        ("reading.ms", 3, 3, 9),
    ]
    assert plan.items == 12


def test_what_is_not_known_is_unknown_and_not_guessed(bench: Bench, tiny: CompiledBench) -> None:
    plan = plan_run(bench.root, tiny, FakeModel(), model_spec="fake")
    assert (plan.tokens, plan.hours, plan.timed_by) == (None, None, ())
    assert "tokens unknown, cost 0, time unknown" in render_plan(plan)


def test_tokens_are_counted_where_the_model_can(bench: Bench, tiny: CompiledBench) -> None:
    plan = plan_run(bench.root, tiny, CountingModel(), model_spec="fake")
    assert plan.tokens is not None
    assert plan.tokens > 12 * 10


def test_hours_come_from_sealed_runs_of_the_same_weights_and_runtime(bench: Bench, tiny: CompiledBench) -> None:
    run = bench.run(tiny, FakeModel(), step=1.0)
    plan = plan_run(bench.root, tiny, FakeModel(), model_spec="fake")
    assert plan.timed_by == (run.run_id,)
    assert plan.hours == pytest.approx(12 / 3600)
    assert "time 12 s" in render_plan(plan)


def test_another_bench_is_timed_by_axes_of_the_same_type(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, FakeModel(), step=1.0)
    other = dataclasses.replace(tiny, name="other")
    assert plan_run(bench.root, other, FakeModel(), model_spec="fake").hours == pytest.approx(12 / 3600)


@pytest.mark.parametrize("who", [identity(weights_sha256="0" * 64), identity(runtime_version="2")])
def test_another_models_timings_say_nothing(bench: Bench, tiny: CompiledBench, who: dict[str, str]) -> None:
    bench.run(tiny, FakeModel(), step=1.0)
    plan = plan_run(bench.root, tiny, FakeModel(who=who), model_spec="fake")  # type: ignore[arg-type]
    assert plan.hours is None


def test_a_plan_says_what_will_not_run_and_why(bench: Bench) -> None:
    compiled = dataclasses.replace(
        compile_bench(TINY, chat_template="always"),
        dropped=(DroppedAxis("nlg", None, "missing-dataset", "flores-ms needs a data set plugin"),),
        notes=("`judges` is not acted on yet",),
    )
    plan = plan_run(bench.root, compiled, FakeModel(), model_spec="fake")
    assert plan.will_not_run == (
        ("nlg", "missing-dataset: flores-ms needs a data set plugin"),
        ("everything", "chat template: always, and the model has none"),
    )
    text = render_plan(plan)
    assert "will not run: nlg: missing-dataset" in text
    assert "note: `judges` is not acted on yet" in text


def test_a_plan_names_the_sealed_run_that_would_be_found_again(bench: Bench, tiny: CompiledBench) -> None:
    run = bench.run(tiny, FakeModel())
    assert plan_run(bench.root, tiny, FakeModel(), model_spec="fake").sealed == run.run_id
    assert plan_run(bench.root, compile_bench(TINY, seed=1), FakeModel(), model_spec="fake").sealed is None


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_plan_fits_the_terminal(width: int, bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, FakeModel())
    plan = plan_run(bench.root, tiny, FakeModel(), model_spec="fake")
    assert plan.sealed is not None
    text = render_plan(plan, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert plan.sealed in text


def test_a_plan_needs_no_archive(tiny: CompiledBench) -> None:
    assert plan_run(None, tiny, FakeModel(), model_spec="fake").sealed is None


def test_excluded_items_are_not_calls(bench: Bench, tiny: CompiledBench) -> None:
    first, *others = tiny.items["facts.en"]
    tiny.items["facts.en"] = [{**first, "excluded": True}, *others]
    plan = plan_run(bench.root, tiny, FakeModel(), model_spec="fake")
    assert (plan.axes[0].items, plan.axes[0].excluded) == (2, 1)


def test_a_plan_can_be_written_as_json(bench: Bench, tiny: CompiledBench) -> None:
    described = json.loads(json.dumps(describe_plan(plan_run(bench.root, tiny, FakeModel(), model_spec="fake"))))
    assert described["hours"] is None
    assert described["items"] == 12


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "unknown"), (0.2, "< 1 s"), (59.6, "60 s"), (600, "10 min"), (10800, "3.0 h")],
)
def test_a_duration_is_told_in_the_unit_that_fits(seconds: float | None, text: str) -> None:
    assert describe_seconds(seconds) == text
