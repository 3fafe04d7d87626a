import dataclasses
import json
import tracemalloc
from pathlib import Path

import pytest

import benchproof
from benchproof.archive import HandleError, LockedError, list_open_runs, load_run, resume_run, verify_run
from benchproof.errors import ExitCode
from benchproof.harness import (
    CompiledBench,
    HarnessError,
    ItemDone,
    Note,
    Reused,
    RunKeyError,
    RunStarted,
    Sealed,
    Stopped,
    compile_bench,
)
from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores, ControlModel, ModelChangedError, ModelInfo
from benchproof.records.bench import CompiledItem
from harness.fakes import Bench, FakeClock, FakeModel, identity

TINY = Path(__file__).resolve().parent / "tiny"
ITEMS = 12


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture
def tiny() -> CompiledBench:
    return compile_bench(TINY)


def evidence(bench: Bench, run_id: str) -> dict[str, bytes]:
    """Bytes of raw/, records/ and the compiled bench of a sealed run."""
    folder = bench.root / "runs" / run_id
    files = [path for path in sorted(folder.rglob("*.*")) if path.name not in {"manifest.json", "timings.ndjson"}]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def stop_at(call: int) -> FakeModel:
    def interrupt(number: int, _context: str) -> None:
        if number == call:
            raise KeyboardInterrupt

    return FakeModel(before=interrupt)


def test_a_run_asks_each_item_once_and_is_sealed(bench: Bench, tiny: CompiledBench) -> None:
    model = FakeModel()
    outcome = bench.run(tiny, model)
    assert (outcome.status, outcome.partial, outcome.exit_code) == ("sealed", False, ExitCode.YES)
    assert len(model.calls) == outcome.asked == ITEMS
    assert outcome.counts == {key: {"answered": 3} for key in tiny.axes}
    run = load_run(bench.root, outcome.run_id)
    assert run.sha256 == outcome.sha256
    assert {key: len(list(run.records(key))) for key in run.axis_keys} == dict.fromkeys(tiny.axes, 3)


def test_a_run_id_names_bench_model_time_and_a_token(bench: Bench, tiny: CompiledBench) -> None:
    assert bench.run(tiny, FakeModel()).run_id == "tiny.fake.20261130T212541Z.7f3a"


def test_the_manifest_states_bench_model_axes_and_seed_as_formats_md_shows(bench: Bench) -> None:
    compiled = compile_bench(TINY, seed=5)
    manifest = load_run(bench.root, bench.run(compiled, FakeModel()).run_id).manifest
    assert manifest["bench"] == {"name": "tiny", "bench_version": "0.1", "digest": compiled.digest}
    assert manifest["model"] == identity()
    assert manifest["harness"] == {"name": "benchproof", "version": benchproof.__version__}
    assert manifest["environment"] == {"python": "3.11", "context_window": 512}
    assert (manifest["created_at"], manifest["sealed_at"]) == ("2026-11-30T21:25:41Z", "2026-11-30T21:25:41Z")
    reading = manifest["axes"][2]
    assert (reading["axis"], reading["language"], reading["strict"]) == ("reading", "en", False)
    assert reading["items"]["planned"] == 3
    assert reading["counts"] == {"answered": 3}
    assert reading["batching"]["method"] == "exact"
    assert reading["setting"]["items"] == "all"
    assert "batching" not in manifest["axes"][0]


def test_the_seed_recorded_is_the_seed_used(bench: Bench) -> None:
    # lm-evaluation-harness#1906: the seed was set only where the number of shots was overridden.
    model = FakeModel()
    run = load_run(bench.root, bench.run(compile_bench(TINY, seed=5, max_rows=2), model).run_id)
    assert run.manifest["seeds"] == {"run": 5}
    assert {axis["items"]["selection"] for axis in run.manifest["axes"]} == {"sample@2/5"}
    assert {params.seed for params in model.params} == {5}


def test_another_seed_than_the_bench_was_compiled_with_is_refused(bench: Bench, tiny: CompiledBench) -> None:
    with pytest.raises(HarnessError, match=r"compiled with another seed.*got 1; expected 0"):
        bench.run(tiny, FakeModel(), seed=1)


def test_an_option_that_is_off_adds_no_key_and_one_that_is_on_is_stated(bench: Bench, tiny: CompiledBench) -> None:
    weighted = dataclasses.replace(tiny, weights={"reading": 2.0, "facts": 1.0}, required=frozenset({"facts"}))
    bench_facts = load_run(bench.root, bench.run(weighted, FakeModel()).run_id).manifest["bench"]
    assert bench_facts["weights"] == {"reading": 2}
    assert bench_facts["required"] == ["facts"]
    assert "dropped" not in bench_facts
    assert "register_weights" not in bench_facts


def test_a_raw_choice_line_has_the_shape_of_formats_md(bench: Bench, tiny: CompiledBench) -> None:
    run = load_run(bench.root, bench.run(tiny, FakeModel(flags=("double_bos",))).run_id)
    _line, raw = next(iter(run.raw_lines("reading.en")))
    assert set(raw) == {
        "axis",
        "batching",
        "call",
        "candidates",
        "context_tokens",
        "flags",
        "item_id",
        "join_token",
        "prompt_sha256",
    }
    assert (raw["axis"], raw["call"], raw["item_id"]) == ("reading", "loglikelihood", "en/ferry-q1")
    assert raw["flags"] == ["double_bos"]


def test_a_raw_generation_line_has_prompt_params_and_text_and_nothing_without_effect(
    bench: Bench, tiny: CompiledBench
) -> None:
    run = load_run(bench.root, bench.run(tiny, FakeModel(answer=" honey\n")).run_id)
    _line, raw = next(iter(run.raw_lines("facts.en")))
    assert raw["params"] == {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0}
    assert raw["text"] == " honey\n"
    assert raw["prompt"].endswith("Question: What sweet food do bees make?\nAnswer:")
    assert "sent" not in raw
    assert "flags" not in raw


def test_the_passage_that_items_share_is_told_to_the_model(bench: Bench, tiny: CompiledBench) -> None:
    model = FakeModel()
    bench.run(tiny, model)
    assert model.prefixes[0] == "Passage: The ferry leaves at half past seven. Last Tuesday it waited for the ice."


def test_events_tell_the_start_every_item_and_the_seal(bench: Bench, tiny: CompiledBench) -> None:
    outcome = bench.run(tiny, FakeModel())
    (started,) = bench.told(RunStarted)
    assert started.planned == dict.fromkeys(tiny.axes, 3)
    assert started.done == dict.fromkeys(tiny.axes, 0)
    items = bench.told(ItemDone)
    assert len(items) == ITEMS
    assert (items[2].axis_key, items[2].done, items[2].planned, items[2].errored) == ("facts.en", 3, 3, 0)
    (sealed,) = bench.told(Sealed)
    assert (sealed.run_id, sealed.sha256) == (outcome.run_id, outcome.sha256)


def test_flags_of_calls_are_summed_up_in_a_note(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, FakeModel(flags=("double_bos", "a_later_flag")))
    assert Note("reading.en: a_later_flag in 3 of 3 calls") in bench.events
    [said] = [note.text for note in bench.told(Note) if note.text.startswith("reading.en: double_bos in 3 of 3 calls")]
    assert said.endswith(" calls (the prompt brings a BOS of its own, and the model adds another)")


def test_fifty_runs_in_one_second_have_fifty_names(bench: Bench) -> None:
    # inspect_ai PR#3837: two runs of one second shared a file name.
    compiled = compile_bench(TINY, axes=["reading"], languages=["en"], max_rows=1)
    drawn = iter(f"{number // 2:04x}" for number in range(1000))
    bench.draw_token = lambda: next(drawn)
    outcomes = [bench.run(compiled, FakeModel(), reuse=False) for _ in range(50)]
    assert len({outcome.run_id for outcome in outcomes}) == 50


def test_a_name_that_is_open_or_sealed_already_is_drawn_again(bench: Bench, tiny: CompiledBench) -> None:
    drawn = iter(["0000", "0001", "0000", "0001", "0002"])
    bench.draw_token = lambda: next(drawn)
    bench.run(tiny, FakeModel())
    bench.run(tiny, stop_at(3), reuse=False)
    assert bench.run(tiny, FakeModel(), reuse=False).run_id.endswith(".0002")


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    bench = Bench(tmp_path_factory.mktemp("whole") / "babel-data")
    return evidence(bench, bench.run(compile_bench(TINY), FakeModel()).run_id)


@pytest.mark.parametrize("call", range(ITEMS))
def test_a_resumed_run_repeats_no_call_and_seals_the_same_bytes(
    bench: Bench, tiny: CompiledBench, call: int, uninterrupted: dict[str, bytes]
) -> None:
    stopped = stop_at(call)
    first = bench.run(tiny, stopped)
    assert (first.status, first.stopped, first.exit_code) == ("open", "interrupted", ExitCode.INTERRUPTED)
    second = FakeModel()
    resumed = bench.run(tiny, second, resume=True)
    assert resumed.run_id == first.run_id
    assert len(stopped.calls) + len(second.calls) == ITEMS
    assert not set(stopped.calls) & set(second.calls)
    assert evidence(bench, resumed.run_id) == uninterrupted


def test_ctrl_c_leaves_the_run_open_with_what_was_recorded(bench: Bench, tiny: CompiledBench) -> None:
    outcome = bench.run(tiny, stop_at(4))
    (summary,) = list_open_runs(bench.root)
    assert (summary.id, summary.done, summary.planned) == (outcome.run_id, 4, ITEMS)
    assert Stopped(outcome.run_id, "interrupted") in bench.events


def test_a_backend_that_ends_the_run_leaves_it_open_too(bench: Bench, tiny: CompiledBench) -> None:
    def fail(number: int, _context: str) -> None:
        if number == 5:
            raise ModelChangedError("the weights are gone")

    with pytest.raises(ModelChangedError):
        bench.run(tiny, FakeModel(before=fail))
    assert [(run.done, run.planned) for run in list_open_runs(bench.root)] == [(5, ITEMS)]


def test_a_run_is_resumed_by_name(bench: Bench, tiny: CompiledBench) -> None:
    first = bench.run(tiny, stop_at(3))
    bench.run(tiny, stop_at(6))
    model = FakeModel()
    assert bench.run(tiny, model, resume=first.run_id).run_id == first.run_id
    assert len(model.calls) == ITEMS - 3


def test_without_a_name_the_newest_open_run_is_resumed(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, stop_at(3))
    newest = bench.run(tiny, stop_at(6), clock=FakeClock(elapsed=60.0).clock())
    assert bench.run(tiny, FakeModel(), resume=True).run_id == newest.run_id


def test_an_unknown_name_lists_the_open_runs(bench: Bench, tiny: CompiledBench) -> None:
    open_id = bench.run(tiny, stop_at(3)).run_id
    with pytest.raises(HandleError, match=f"no such open run.*{open_id}"):
        bench.run(tiny, FakeModel(), resume="tiny.other")


def test_resuming_with_nothing_open_starts_anew_and_says_so(bench: Bench, tiny: CompiledBench) -> None:
    assert bench.run(tiny, FakeModel(), resume=True).status == "sealed"
    assert any("a new one starts" in note.text for note in bench.told(Note))


def test_with_no_open_run_of_the_same_a_sealed_one_is_found_though_resuming_is_asked(
    bench: Bench, tiny: CompiledBench
) -> None:
    sealed = bench.run(tiny, FakeModel())
    other = stop_at(3)
    other.who = identity("other")
    bench.run(tiny, other)
    assert bench.run(tiny, FakeModel(), resume=True, reuse=True).run_id == sealed.run_id
    assert bench.run(tiny, FakeModel(), resume=True, reuse=False).status == "sealed"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"weights_sha256": "0" * 64}, "model weights_sha256"),
        ({"runtime_version": "1.1"}, "model runtime_version"),
    ],
)
def test_a_run_is_not_resumed_with_another_model(
    bench: Bench, tiny: CompiledBench, changes: dict[str, str], named: str
) -> None:
    bench.run(tiny, stop_at(3))
    with pytest.raises(RunKeyError, match=named):
        bench.run(tiny, FakeModel(who=identity(**changes)), resume=True)


def test_a_run_is_not_resumed_with_another_bench_or_other_options(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, stop_at(3), options={"engine": "local"})
    with pytest.raises(RunKeyError, match=r"axis facts\.en items"):
        bench.run(compile_bench(TINY, max_rows=2), FakeModel(), resume=True, options={"engine": "local"})
    with pytest.raises(RunKeyError, match="bench digest"):
        bench.run(dataclasses.replace(tiny, digest="f" * 64), FakeModel(), resume=True, options={"engine": "local"})
    with pytest.raises(RunKeyError, match=r"option engine: 'local' when it was opened, 'ray' now"):
        bench.run(tiny, FakeModel(), resume=True, options={"engine": "ray"})


def test_a_second_process_on_the_same_run_is_refused(bench: Bench, tiny: CompiledBench) -> None:
    open_id = bench.run(tiny, stop_at(3)).run_id
    with resume_run(bench.root, open_id), pytest.raises(LockedError):
        bench.run(tiny, FakeModel(), resume=open_id)


def test_an_open_run_of_the_same_is_mentioned_when_a_new_one_starts(bench: Bench, tiny: CompiledBench) -> None:
    open_id = bench.run(tiny, stop_at(3)).run_id
    bench.run(tiny, FakeModel())
    assert Note(f"open run {open_id} has 3 of {ITEMS} items of the same; --resume continues it") in bench.events


@pytest.mark.parametrize("resume", [True, False])
def test_an_open_run_that_cannot_be_read_is_mentioned_and_keeps_its_id(
    bench: Bench, tiny: CompiledBench, resume: bool
) -> None:
    damaged_id = bench.run(tiny, stop_at(3)).run_id
    (bench.root / ".staging" / f"run-{damaged_id}" / "opening.json").write_bytes(b"null")
    outcome = bench.run(tiny, FakeModel(), resume=resume)
    assert outcome.status == "sealed"
    assert outcome.run_id != damaged_id
    notes = [event.text for event in bench.told(Note) if event.text.startswith(f"run {damaged_id} was not considered")]
    assert notes
    assert all("opening.json" in note for note in notes)


def test_a_sealed_run_of_the_same_is_found_again_and_nothing_is_asked(bench: Bench, tiny: CompiledBench) -> None:
    # inspect_ai#5296: a completed log was never reused.
    first = bench.run(tiny, FakeModel())
    model = FakeModel()
    again = bench.run(tiny, model)
    assert (again.status, again.run_id, again.sha256) == ("reused", first.run_id, first.sha256)
    assert again.counts == first.counts
    assert model.calls == []
    assert len(bench.told(Reused)) == 1


@pytest.mark.parametrize(
    "who",
    [
        identity("other"),
        identity(weights_sha256="0" * 64),
        identity(runtime_version="2"),
        identity(quantization="Q4"),
        identity(revision="2"),
    ],
)
def test_another_model_never_gets_the_answers_of_the_first(
    bench: Bench, tiny: CompiledBench, who: dict[str, str]
) -> None:
    # lm-evaluation-harness#4063: the cache was not keyed by model.
    bench.run(tiny, FakeModel())
    model = FakeModel(who=who)  # type: ignore[arg-type]
    assert bench.run(tiny, model).status == "sealed"
    assert len(model.calls) == ITEMS


def test_another_prompt_seed_or_selection_is_another_run(bench: Bench, tiny: CompiledBench) -> None:
    # lm-evaluation-harness#4084, lighteval#1040.
    bench.run(compile_bench(TINY, max_rows=1), FakeModel())
    assert bench.run(tiny, FakeModel()).asked == ITEMS
    assert bench.run(compile_bench(TINY, seed=1), FakeModel()).status == "sealed"
    edited = compile_bench(TINY)
    edited.axes["facts.en"]["prompt_template"] += " "
    assert bench.run(edited, FakeModel()).status == "sealed"
    always = compile_bench(TINY, chat_template="always")
    assert bench.run(always, FakeModel(has_chat_template=True)).status == "sealed"


def test_fresh_asks_anew(bench: Bench, tiny: CompiledBench) -> None:
    first = bench.run(tiny, FakeModel())
    again = bench.run(tiny, FakeModel(), reuse=False)
    assert (again.status, again.asked) == ("sealed", ITEMS)
    assert again.run_id != first.run_id
    assert evidence(bench, again.run_id) == evidence(bench, first.run_id)


def test_a_partial_run_is_not_reused(bench: Bench, tiny: CompiledBench) -> None:
    assert bench.run(tiny, FakeModel(), step=1.0, max_wall_seconds=9).partial
    assert bench.run(tiny, FakeModel()).status == "sealed"


def test_the_budget_seals_what_there_is_as_partial(bench: Bench, tiny: CompiledBench) -> None:
    outcome = bench.run(tiny, FakeModel(), step=1.0, max_wall_seconds=9)
    assert (outcome.status, outcome.stopped, outcome.partial) == ("sealed", "budget", True)
    assert outcome.exit_code == ExitCode.STOPPED_BY_BUDGET
    assert 0 < outcome.asked < ITEMS
    manifest = load_run(bench.root, outcome.run_id).manifest
    assert manifest["partial"] is True
    assert Stopped(outcome.run_id, "budget") in bench.events


def test_a_budget_of_nothing_asks_nothing(bench: Bench, tiny: CompiledBench) -> None:
    model = FakeModel()
    outcome = bench.run(tiny, model, max_wall_seconds=0)
    assert (model.calls, outcome.stopped, outcome.partial) == ([], "budget", True)


def test_a_resumed_run_has_only_the_rest_of_its_budget(bench: Bench, tiny: CompiledBench) -> None:
    # inspect_ai#2628: after a retry only the last attempt was counted.
    bench.run(tiny, stop_at(6), step=1.0, max_wall_seconds=1000)
    model = FakeModel()
    outcome = bench.run(tiny, model, resume=True, step=1.0, max_wall_seconds=8)
    assert outcome.stopped == "budget"
    assert len(model.calls) == 1


def test_one_broken_call_is_one_errored_item(bench: Bench, tiny: CompiledBench) -> None:
    # tt-inference-server#2214: one timeout wiped a run of hours.
    def fail(number: int, _context: str) -> None:
        if number == 7 and not failed:
            failed.append(number)
            raise TimeoutError("no answer in 60 s")

    failed: list[int] = []
    outcome = bench.run(tiny, FakeModel(before=fail))
    assert outcome.counts["reading.en"] == {"answered": 2, "errored": 1}
    assert outcome.exit_code == ExitCode.CANNOT_TELL
    run = load_run(bench.root, outcome.run_id)
    errored = [raw for _line, raw in run.raw_lines("reading.en") if "error" in raw]
    assert [(raw["error"], raw["detail"]) for raw in errored] == [("backend", "TimeoutError: no answer in 60 s")]


def test_a_run_with_an_errored_item_is_not_reused(bench: Bench, tiny: CompiledBench) -> None:
    def fail(number: int, _context: str) -> None:
        if number == 7:
            raise TimeoutError

    bench.run(tiny, FakeModel(before=fail))
    assert bench.run(tiny, FakeModel()).status == "sealed"


class Overflowing(FakeModel):
    def _score(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        if "kite" in request.context:
            return CallFailure("context-overflow", "600 tokens in a window of 512")
        return super()._score(request)


def test_an_item_longer_than_the_context_is_flagged_and_never_cut(bench: Bench, tiny: CompiledBench) -> None:
    outcome = bench.run(tiny, Overflowing())
    assert outcome.counts["reading.en"] == {"answered": 2, "truncated": 1}
    assert outcome.exit_code == ExitCode.CANNOT_TELL
    records = [record for _line, record in load_run(bench.root, outcome.run_id).records("reading.en")]
    assert [record["reason"] for record in records if record["outcome"] == "truncated"] == ["context-overflow"]


@dataclasses.dataclass
class Windowed(FakeModel):
    window: int = 64

    def info(self) -> ModelInfo:
        return dataclasses.replace(super().info(), context_window=self.window)


def test_a_run_under_another_context_window_is_another_run(bench: Bench, tiny: CompiledBench) -> None:
    narrow = bench.run(tiny, Windowed())
    assert bench.run(tiny, Windowed(), reuse=True).run_id == narrow.run_id
    assert bench.run(tiny, Windowed(window=128), reuse=True).status == "sealed"


class NotFinite(FakeModel):
    def _score(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        scores = super()._score(request)
        assert isinstance(scores, ChoiceScores)
        bad = dataclasses.replace(scores.candidates[0], token_logprobs=(float("nan"), -1.0))
        return dataclasses.replace(scores, candidates=(bad, *scores.candidates[1:]))


def test_a_likelihood_that_is_not_finite_is_an_errored_item_not_a_score(bench: Bench, tiny: CompiledBench) -> None:
    outcome = bench.run(tiny, NotFinite())
    assert outcome.counts["reading.en"] == {"errored": 3}


def test_a_lone_surrogate_in_an_answer_is_kept_in_six_characters_and_flagged(bench: Bench, tiny: CompiledBench) -> None:
    # inspect_ai PR#3802: a lone surrogate crashed logging.
    outcome = bench.run(tiny, FakeModel(answer="a\udc00\x00b"))
    _line, raw = next(iter(load_run(bench.root, outcome.run_id).raw_lines("facts.en")))
    assert raw["text"] == "a\\udc00\x00b"
    assert raw["flags"] == ["surrogates_escaped"]


def test_a_model_file_that_changed_keeps_the_run_from_being_sealed(bench: Bench, tiny: CompiledBench) -> None:
    model = FakeModel(changed=ModelChangedError("the weights changed since the run began"))
    with pytest.raises(ModelChangedError):
        bench.run(tiny, model)
    assert list((bench.root / "runs").iterdir()) == []
    assert [run.done for run in list_open_runs(bench.root)] == [ITEMS]


def test_a_required_axis_without_an_answer_fails_the_run(bench: Bench, tiny: CompiledBench) -> None:
    required = dataclasses.replace(tiny, required=frozenset({"reading"}))
    outcome = bench.run(required, NotFinite())
    assert outcome.missing_required == ("reading.en", "reading.ms")
    assert outcome.exit_code == ExitCode.NO


def test_a_chat_template_that_is_not_used_is_said_loudly(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, FakeModel(has_chat_template=True))
    assert any("has a chat template; prompts were sent raw" in note.text for note in bench.told(Note))


def test_a_chat_template_is_applied_on_generation_axes_only_and_recorded(bench: Bench) -> None:
    model = FakeModel(has_chat_template=True, who=identity(chat_template="a" * 64))
    outcome = bench.run(compile_bench(TINY, chat_template="always"), model)
    assert {params.chat_template for params in model.params} == {"always"}
    run = load_run(bench.root, outcome.run_id)
    assert run.axis_of_run("facts.en")["setting"]["chat_template"] == "a" * 64
    assert run.axis_of_run("reading.en")["setting"]["chat_template"] == "none"
    _line, raw = next(iter(run.raw_lines("facts.en")))
    assert raw["params"]["chat_template"] == "always"


def test_a_chat_template_that_the_model_does_not_have_is_refused_before_a_run_opens(bench: Bench) -> None:
    with pytest.raises(HarnessError, match="the model has no chat template to apply"):
        bench.run(compile_bench(TINY, chat_template="always"), FakeModel())
    assert list_open_runs(bench.root) == []


def test_excluded_items_are_recorded_with_their_reason_and_never_asked(bench: Bench, tiny: CompiledBench) -> None:
    first, *others = tiny.items["facts.en"]
    tiny.items["facts.en"] = [{**first, "excluded": True, "exclusion_reason": "disputed"}, *others]
    model = FakeModel()
    outcome = bench.run(tiny, model)
    assert outcome.counts["facts.en"] == {"answered": 2, "excluded": 1}
    assert outcome.partial is False
    assert len(model.calls) == ITEMS - 1


def test_notes_of_the_configuration_and_dropped_axes_are_told(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(dataclasses.replace(tiny, notes=("`judges` is not acted on yet",)), FakeModel())
    assert Note("`judges` is not acted on yet") in bench.events


def test_timings_are_attached_and_no_clock_is_in_the_evidence(bench: Bench, tiny: CompiledBench) -> None:
    slow = bench.run(tiny, FakeModel(), step=0.5)
    folder = bench.root / "runs" / slow.run_id
    lines = [json.loads(line) for line in (folder / "attachments" / "timings.ndjson").read_text().splitlines()]
    assert len(lines) == ITEMS
    assert {line["timing"]["seconds"] for line in lines} == {0.5}
    fast = bench.run(tiny, FakeModel(), reuse=False)
    assert evidence(bench, fast.run_id) == evidence(bench, slow.run_id)


def test_batches_hold_items_of_one_passage_only(bench: Bench, tiny: CompiledBench) -> None:
    sizes: list[int] = []

    class Counting(FakeModel):
        def score_choices(self, requests: object, shared_prefix: str | None = None) -> list[ChoiceScores | CallFailure]:
            sizes.append(len(requests))  # type: ignore[arg-type]
            return super().score_choices(requests, shared_prefix)  # type: ignore[arg-type]

    batched = dataclasses.replace(tiny, batch={"reading": 8, "facts": 2})
    bench.run(batched, Counting())
    assert sizes == [2, 1, 2, 1]


def test_two_stopped_sittings_and_a_third_ask_each_item_once(bench: Bench, tiny: CompiledBench) -> None:
    # inspect_ai PR#4933: a retry built on the newest, empty log asked paid items again.
    sittings = [stop_at(3), stop_at(0), stop_at(5), FakeModel()]
    outcomes = [bench.run(tiny, model, resume=number > 0) for number, model in enumerate(sittings)]
    assert len({outcome.run_id for outcome in outcomes}) == 1
    asked = [context for model in sittings for context in model.calls]
    assert len(asked) == len(set(asked)) == ITEMS
    assert outcomes[-1].status == "sealed"


def test_what_a_run_seals_verifies_and_recomputes(bench: Bench, tiny: CompiledBench) -> None:
    whole = bench.run(tiny, Overflowing(flags=("double_bos",)))
    cut = bench.run(tiny, FakeModel(who=identity("other")), step=1.0, max_wall_seconds=12)
    sampled = bench.run(compile_bench(TINY, max_rows=2), FakeModel())
    for outcome in (whole, cut, sampled):
        verification = verify_run(bench.root, outcome.run_id)
        assert verification.findings == ()
        assert verification.records_recomputed == outcome.asked


def test_memory_does_not_grow_with_what_was_answered(bench: Bench, tiny: CompiledBench) -> None:
    # lm-evaluation-harness#3089: twenty thousand requests were held at once.
    first = tiny.items["reading.en"][0]
    shown = {**first["input"], "passage": "A long passage. " * 500}

    def measure_peak(count: int) -> int:
        """Largest memory of a run of ``count`` items, of which each seals 8 kB of prompt."""
        items = [
            CompiledItem(**{**first, "item_id": f"en/q{n:04d}", "global_item_id": f"q{n:04d}", "input": shown})
            for n in range(count)
        ]
        many = dataclasses.replace(tiny, axes={"reading.en": tiny.axes["reading.en"]}, items={"reading.en": items})
        tracemalloc.start()
        try:
            bench.run(many, ControlModel("first"), events=lambda _event: None)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    measure_peak(10)
    assert measure_peak(1200) - measure_peak(200) < 2_000_000 < 1000 * 8_000
