import dataclasses
import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from benchproof.archive import load_run
from benchproof.canon import canonical
from benchproof.harness import CompiledBench, compile_bench, summarize
from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.scores import compute_score_sheet
from harness.fakes import Bench, FakeModel, identity

TINY = Path(__file__).resolve().parent / "tiny"
SCHEMA = json.loads(
    resources.files("benchproof.records").joinpath("schemas", "run-summary.schema.json").read_text(encoding="utf-8")
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture
def tiny() -> CompiledBench:
    return compile_bench(TINY)


def summary_of(bench: Bench, compiled: CompiledBench, model: FakeModel | None = None, **options: Any) -> dict[str, Any]:
    outcome = bench.run(compiled, model or FakeModel(), **options)
    run = load_run(bench.root, outcome.run_id)
    summary = summarize(compute_score_sheet(run), run.manifest)
    jsonschema_rs.validate(SCHEMA, json.loads(canonical(summary)))
    return summary


def number(
    axis: str, value: float | None, *, part: str = "all", chance: float | None = None, **more: Any
) -> SheetNumber:
    base: dict[str, Any] = {
        "tag": "t",
        "axis": axis,
        "dataset": f"b/{axis}",
        "language": "en",
        "slice": part,
        "metric": "choice-accuracy.byte",
        "unit": "fraction",
        "value": value,
        "numerator": None,
        "denominator": 0 if value is None else 10,
        "planned": 10,
        "excluded": {"errored": 10 if value is None else 0},
        "interval": None,
        "level": 0.95,
        "method": "m",
        "clusters": 10,
        "chance": chance,
        "null_rate": 0.0,
        "flags": [],
    }
    return SheetNumber(**{**base, **more})  # type: ignore[typeddict-item]


def of_numbers(numbers: list[SheetNumber], **facts: Any) -> dict[str, Any]:
    """The English part of a summary of made-up numbers."""
    sheet = ScoreSheet(
        schema_version=1,
        kind="score-sheet",
        of={"id": "r", "sha256": "0" * 64},
        judgings=[],
        scorers=[],
        numbers=numbers,
    )
    names = sorted({each["axis"] for each in numbers})
    manifest: Any = {
        "bench": {"name": "b", "bench_version": "1.0", **facts},
        "model": identity(),
        "partial": False,
        "synthetic": False,
        "environment": {},
        "axes": [{"axis": name, "language": "en", "setting": {"chat_template": "none"}} for name in names],
    }
    summary = summarize(sheet, manifest)
    jsonschema_rs.validate(SCHEMA, json.loads(canonical(summary)))
    part: dict[str, Any] = summary["languages"]["en"]
    return part


def test_ms_is_the_mean_of_the_axes_of_one_language(bench: Bench, tiny: CompiledBench) -> None:
    summary = summary_of(bench, tiny)
    assert list(summary["languages"]) == ["en", "ms"]
    for part in summary["languages"].values():
        values = [facts["value"] for facts in part["axes"].values()]
        assert part["ms"] == pytest.approx(sum(values) / 2)
        assert part["ms_axes_included"] == ["facts", "reading"]
        assert (part["rankable"], part["ms_partial"], part["axes_dropped"]) == (True, False, [])


def test_the_summary_names_run_bench_model_and_schema(bench: Bench, tiny: CompiledBench) -> None:
    summary = summary_of(bench, tiny)
    assert (summary["schema_version"], summary["bench"], summary["bench_version"]) == ("1.1", "tiny", "0.1")
    assert summary["model_id"] == "fake"
    assert summary["run"]["id"].startswith("tiny.fake.")


def test_an_option_that_is_off_adds_no_key(bench: Bench, tiny: CompiledBench) -> None:
    summary = summary_of(bench, tiny)
    assert not {"chat_template", "synthetic", "dedup", "judges_used", "judge_overlay"} & set(summary)
    assert not {"failed_required", "judge_quality", "by_probe"} & set(summary["languages"]["en"])


def test_an_option_that_is_on_is_stated(bench: Bench) -> None:
    who = identity(chat_template="a" * 64)
    always = compile_bench(TINY, chat_template="always")
    summary = summary_of(bench, always, FakeModel(has_chat_template=True, who=who, synthetic=True))
    assert summary["chat_template"] == "a" * 64
    assert summary["synthetic"] is True


def test_weights_of_axes_weigh(bench: Bench, tiny: CompiledBench) -> None:
    weighted = dataclasses.replace(tiny, weights={"reading": 3.0, "facts": 1.0})
    part = summary_of(bench, weighted, FakeModel(answer=" Kuala Lumpur"))["languages"]["en"]
    reading, facts = part["axes"]["reading"]["value"], part["axes"]["facts"]["value"]
    assert facts == pytest.approx(1 / 3)
    assert part["ms"] == pytest.approx((3 * reading + facts) / 4)


class NoChoices(FakeModel):
    def _score(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        return CallFailure("backend", "gone")


def test_an_axis_without_a_value_is_left_out_with_its_reason_and_never_zero(bench: Bench, tiny: CompiledBench) -> None:
    part = summary_of(bench, tiny, NoChoices())["languages"]["en"]
    assert part["ms"] == part["axes"]["facts"]["value"]
    assert part["axes"]["reading"]["value"] is None
    assert part["axes_dropped"] == [{"axis": "reading", "reason": "load", "detail": "no item was scored: 3 errored"}]
    assert (part["rankable"], part["ms_partial"], part["axis_coverage_complete"]) == (False, True, False)


def test_a_budget_that_ended_before_an_axis_is_its_reason(bench: Bench, tiny: CompiledBench) -> None:
    summary = summary_of(bench, tiny, step=1.0, max_wall_seconds=12)
    part = summary["languages"]["en"]
    assert summary["partial"] is True
    assert [each["reason"] for each in part["axes_dropped"]] == ["budget"]
    assert part["rankable"] is False


def test_a_run_of_some_axes_is_not_mistaken_for_a_run_of_all(bench: Bench) -> None:
    part = summary_of(bench, compile_bench(TINY, axes=["facts"]))["languages"]["en"]
    assert part["axes_dropped"] == [
        {"axis": "reading", "reason": "not-asked", "detail": "left out by the command's axes"}
    ]
    assert part["rankable"] is False


def test_a_run_of_one_language_is_whole_in_that_language(bench: Bench) -> None:
    summary = summary_of(bench, compile_bench(TINY, languages=["ms"]))
    assert list(summary["languages"]) == ["ms"]
    assert summary["languages"]["ms"]["rankable"] is True


def test_a_run_that_the_command_capped_is_not_rankable(bench: Bench) -> None:
    assert summary_of(bench, compile_bench(TINY, max_rows=2))["languages"]["en"]["rankable"] is False
    assert summary_of(bench, compile_bench(TINY, max_rows=3))["languages"]["en"]["rankable"] is True


def test_a_register_that_an_axis_lacks_is_left_out_of_that_register_only() -> None:
    part = of_numbers(
        [
            number("a", 0.5),
            number("a", 0.8, part="register=high"),
            number("a", 0.2, part="register=low"),
            number("b", 0.5),
            number("b", 0.4, part="register=low"),
        ]
    )
    registers = part["register_ms"]
    assert (registers["high"], registers["mid"]) == (0.8, None)
    assert registers["low"] == pytest.approx(0.3)
    assert registers["composite"] == pytest.approx((0.5 * 0.8 + 0.15 * 0.3) / 0.65)


def test_registers_weigh_as_the_bench_or_the_axis_says() -> None:
    numbers = [number("a", 0.5), number("a", 1.0, part="register=high"), number("a", 0.0, part="register=low")]
    own = {"": {"high": 1.0, "low": 3.0}, "a": {"high": 1.0, "low": 1.0}}
    part = of_numbers(numbers, register_weights=own)
    assert part["register_ms"]["composite"] == 0.25
    assert part["axes"]["a"]["register_composite"] == 0.5


def test_chance_is_taken_off_the_axis_mean_and_what_is_below_it_stays_negative() -> None:
    # A model exactly at chance gets 0, not 0.25: clamping item by item would take nothing off.
    part = of_numbers([number("a", 0.25, chance=0.25), number("b", 0.1, chance=0.25), number("c", 0.4)])
    assert part["axes"]["a"]["normalized"] == 0.0
    assert part["axes"]["b"]["normalized"] == pytest.approx(-0.2)
    assert part["axes"]["c"]["normalized"] == 0.4
    assert part["ms_normalized"] == pytest.approx((0 - 0.2 + 0.4) / 3)


def test_an_axis_near_chance_is_named_and_does_not_discriminate() -> None:
    part = of_numbers([number("a", 0.26, chance=0.25, flags=["near_chance"]), number("b", 0.9, chance=0.25)])
    assert part["near_chance_axes"] == ["a"]
    assert part["axes"]["a"]["discriminates"] is False
    assert part["axes"]["b"]["discriminates"] is True


def test_an_axis_of_cut_answers_is_left_out_of_the_truncation_safe_mean() -> None:
    cut = number("a", 0.1, capped=5, truncation_rate=0.5, metric="exact-match.squad-v1.1")
    part = of_numbers([cut, number("b", 0.9)])
    assert (part["ms"], part["ms_truncsafe"]) == (0.5, 0.9)
    assert part["axes_excluded_truncation"] == ["a"]
    assert part["truncation_rate"] == 0.5


def test_the_truncation_rate_is_null_where_nothing_was_generated() -> None:
    assert of_numbers([number("a", 0.5)])["truncation_rate"] is None


def test_all_missing_is_null_and_not_zero() -> None:
    part = of_numbers([number("a", None)])
    assert (part["ms"], part["ms_normalized"], part["rankable"]) == (None, None, False)


def test_a_required_axis_without_a_value_is_named() -> None:
    part = of_numbers([number("a", None), number("b", 0.5)], required=["a", "b"])
    assert part["failed_required"] == ["a"]


def test_a_judged_axis_that_was_skipped_is_named_as_such() -> None:
    skipped = {"axis": "mt", "language": None, "reason": "skipped_no_judge", "detail": "needs a judge"}
    part = of_numbers([number("a", 0.5)], dropped=[skipped])
    assert part["skipped_no_judge"] == ["mt"]
    assert part["ms_partial"] is True


def test_a_summary_is_the_same_bytes_twice(bench: Bench, tiny: CompiledBench) -> None:
    run = load_run(bench.root, bench.run(tiny, FakeModel()).run_id)
    one, two = (canonical(summarize(compute_score_sheet(run), run.manifest)) for _ in range(2))
    assert one == two
