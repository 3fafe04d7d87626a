from pathlib import Path

import pytest

from benchproof.archive import HandleError, load_run
from benchproof.harness import CompiledBench, HarnessError, RunOutcome, check_model, compile_bench, open_harness_model
from benchproof.models import CallFailure, ChoiceRequest, ControlModel, GenerationParams, ModelError
from harness.fakes import Bench, FakeModel, identity

TINY = Path(__file__).resolve().parent / "tiny"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture
def tiny() -> CompiledBench:
    return compile_bench(TINY)


def replay(bench: Bench, tiny: CompiledBench, source: RunOutcome, tmp_path: Path) -> RunOutcome:
    model = open_harness_model(f"replay:{source.run_id}", root=bench.root, cache_dir=tmp_path)
    return bench.run(tiny, model, model_spec=f"replay:{source.run_id}")


def raw_bytes(bench: Bench, run_id: str) -> dict[str, bytes]:
    run = load_run(bench.root, run_id)
    return {
        path: run.read(path)
        for entry in run.manifest["files"]
        if (path := entry["path"]).startswith(("raw/", "records/"))
    }


def test_a_replayed_run_seals_the_same_raw_lines_and_records(bench: Bench, tiny: CompiledBench, tmp_path: Path) -> None:
    source = bench.run(tiny, FakeModel(flags=("double_bos",)))
    again = replay(bench, tiny, source, tmp_path)
    assert again.status == "sealed"
    assert again.run_id != source.run_id
    assert raw_bytes(bench, again.run_id) == raw_bytes(bench, source.run_id)


def test_failures_are_replayed_as_the_failures_that_they_were(
    bench: Bench, tiny: CompiledBench, tmp_path: Path
) -> None:
    def fail(number: int, _context: str) -> None:
        if number in (1, 8):
            raise TimeoutError("no answer")

    source = bench.run(tiny, FakeModel(before=fail))
    again = replay(bench, tiny, source, tmp_path)
    assert again.counts == source.counts
    assert raw_bytes(bench, again.run_id) == raw_bytes(bench, source.run_id)


def test_a_replay_with_a_chat_template_finds_its_texts(bench: Bench, tmp_path: Path) -> None:
    always = compile_bench(TINY, chat_template="always")
    model = FakeModel(has_chat_template=True, who=identity(chat_template="a" * 64))
    source = bench.run(always, model)
    again = replay(bench, always, source, tmp_path)
    assert raw_bytes(bench, again.run_id) == raw_bytes(bench, source.run_id)


def test_a_replay_has_the_identity_of_its_source_and_says_what_it_is_derived_from(
    bench: Bench, tiny: CompiledBench, tmp_path: Path
) -> None:
    source = bench.run(tiny, ControlModel("random"), model_spec="control:random")
    manifest = load_run(bench.root, replay(bench, tiny, source, tmp_path).run_id).manifest
    original = load_run(bench.root, source.run_id).manifest
    assert manifest["model"] == original["model"]
    assert manifest["synthetic"] is True
    assert manifest["derived_from"] == {"run": source.run_id, "sha256": source.sha256}


def test_a_replay_is_never_taken_for_the_run_that_it_was_made_from(
    bench: Bench, tiny: CompiledBench, tmp_path: Path
) -> None:
    source = bench.run(tiny, FakeModel())
    again = replay(bench, tiny, source, tmp_path)
    assert bench.run(tiny, FakeModel()).run_id == source.run_id
    assert replay(bench, tiny, source, tmp_path).run_id == again.run_id


def test_what_was_not_recorded_is_a_failure_that_says_so(bench: Bench, tiny: CompiledBench, tmp_path: Path) -> None:
    source = bench.run(tiny, FakeModel())
    model = open_harness_model(f"replay:{source.run_id}", root=bench.root, cache_dir=tmp_path)
    (choice,) = model.score_choices([ChoiceRequest("Never asked.", (" a", " b"))])
    (text,) = model.generate(["Never asked."], GenerationParams(4))
    for answer in (choice, text):
        assert isinstance(answer, CallFailure)
        assert answer.error == "not-recorded"
        assert source.run_id in answer.detail


def test_another_decoding_is_another_question(bench: Bench, tiny: CompiledBench, tmp_path: Path) -> None:
    # lm-evaluation-harness#3881: a cache ignored the decoding.
    model_asked = FakeModel()
    source = bench.run(tiny, model_asked)
    model = open_harness_model(f"replay:{source.run_id}", root=bench.root, cache_dir=tmp_path)
    prompt, params = model_asked.calls[0], model_asked.params[0]
    (same,) = model.generate([prompt], params)
    (other,) = model.generate([prompt], GenerationParams(params.max_new_tokens + 1, params.stop))
    assert not isinstance(same, CallFailure)
    assert isinstance(other, CallFailure)


def test_names_are_checked_without_opening_a_model(bench: Bench, tiny: CompiledBench) -> None:
    run_id = bench.run(tiny, FakeModel()).run_id
    check_model(f"replay:{run_id}", root=bench.root)
    check_model("not/there.gguf", root=None)
    for name, error in (("replay:tiny.none", HandleError), ("smolm2", ModelError)):
        with pytest.raises(error):
            check_model(name, root=bench.root)


def test_a_replay_of_no_run_names_the_runs_there_are(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(HandleError, match="no such sealed run"):
        open_harness_model("replay:tiny.fake", root=bench.root, cache_dir=tmp_path)


def test_a_replay_without_an_archive_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="a replay needs an archive"):
        open_harness_model("replay:tiny.fake", root=None, cache_dir=tmp_path)


def test_other_models_are_opened_by_their_own_room(tmp_path: Path) -> None:
    model = open_harness_model("control:first", root=None, cache_dir=tmp_path)
    assert model.info().identity["id"] == "control-first"
