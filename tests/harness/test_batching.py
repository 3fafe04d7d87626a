"""What a run records of batching, and that nothing around an item changes its bytes (contract-bench §4)."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchproof.archive import load_run
from benchproof.harness import (
    CompiledBench,
    Event,
    ItemDone,
    compile_bench,
    find_batching,
    open_harness_model,
    plan_run,
)
from benchproof.harness.batches import form_batches
from benchproof.models import BatchingMethod, Model
from benchproof.models.gguf_opening import open_file
from harness.fakes import EXACT, Bench, FakeModel
from models.fakes import FACTS, FakeBinding, FakeWeights, gguf_bytes

if TYPE_CHECKING:
    from benchproof.records.bench import CompiledItem

TINY = Path(__file__).resolve().parent / "tiny"
READING = ("reading.en", "reading.ms")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture(scope="module")
def tiny() -> CompiledBench:
    return compile_bench(TINY)


@contextmanager
def open_fake(folder: Path, method: BatchingMethod | None = None) -> Iterator[Model]:
    """Weights whose likelihoods betray each decode that made them, behind the real backend."""
    file = folder / "fake.gguf"
    file.write_bytes(gguf_bytes({**FACTS, "llama.context_length": 2048}))
    model = open_file(file, binding=FakeBinding(FakeWeights()), batching=method)
    yield model
    model.close()


def raw_lines(bench: Bench, run_id: str) -> dict[str, bytes]:
    """The raw bytes of each choice item."""
    run = load_run(bench.root, run_id)
    lines: dict[str, bytes] = {}
    for key in READING:
        data = run.read(f"raw/{key}.ndjson")
        lines |= {raw["item_id"]: data[line.offset : line.offset + line.length] for line, raw in run.raw_lines(key)}
    return lines


def record(bench: Bench, compiled: CompiledBench, folder: Path, method: BatchingMethod | None = None) -> str:
    with open_fake(folder, method) as model:
        return bench.run(compiled, model).run_id


def test_an_axis_with_a_passage_states_passage_and_one_without_states_shared(
    bench: Bench, tiny: CompiledBench, tmp_path: Path
) -> None:
    del tiny.axes["reading.ms"]["shared_prefix"]
    try:
        run = load_run(bench.root, record(bench, tiny, tmp_path))
    finally:
        tiny.axes["reading.ms"]["shared_prefix"] = "passage"
    stated = {key: run.axis_of_run(key).get("batching") for key in run.axis_keys}
    assert stated["facts.en"] is None
    assert stated["reading.en"] == {**EXACT, "method": "passage"}
    assert stated["reading.ms"] == {**EXACT, "method": "shared"}
    for key, batching in (("reading.en", "passage"), ("reading.ms", "shared")):
        assert {raw["batching"] for _line, raw in run.raw_lines(key)} == {batching}
    assert find_batching(run) == {**EXACT, "method": "passage"}


def test_the_method_is_part_of_a_numbers_setting_and_of_what_makes_a_run_the_same(
    bench: Bench, tiny: CompiledBench, tmp_path: Path
) -> None:
    with open_fake(tmp_path, "exact") as model:
        exact = bench.run(tiny, model)
    with open_fake(tmp_path, "shared") as model:
        shared = bench.run(tiny, model)
        assert bench.run(tiny, model).run_id == shared.run_id
    assert exact.run_id != shared.run_id
    assert raw_lines(bench, exact.run_id) != raw_lines(bench, shared.run_id)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0)])
def test_a_passage_is_decoded_once_for_its_questions_wherever_they_stand_and_though_each_is_asked_alone(
    order: tuple[int, ...], bench: Bench, tmp_path: Path
) -> None:
    compiled = compile_bench(TINY)
    for key in READING:
        compiled.items[key] = [compiled.items[key][index] for index in order]
    file = tmp_path / "fake.gguf"
    file.write_bytes(gguf_bytes({**FACTS, "llama.context_length": 2048}))
    weights = FakeWeights()
    bench.run(compiled, open_file(file, binding=FakeBinding(weights)))
    assert len(weights.branchings) == 6
    assert len(weights.holds) == 4


def test_a_passage_is_decoded_once_though_its_rows_stand_apart_in_the_file(bench: Bench, tmp_path: Path) -> None:
    package = shutil.copytree(TINY, tmp_path / "tiny")
    rows = (package / "data/reading.en.jsonl").read_text().splitlines(keepends=True)
    (package / "data/reading.en.jsonl").write_text("".join(rows[index] for index in (0, 2, 1)))
    file = tmp_path / "fake.gguf"
    file.write_bytes(gguf_bytes({**FACTS, "llama.context_length": 2048}))
    weights = FakeWeights()
    bench.run(compile_bench(package), open_file(file, binding=FakeBinding(weights)))
    assert len(weights.branchings) == 6
    assert len(weights.holds) == 4


@given(passages=st.lists(st.sampled_from(["Ferries.", "Buses.", "Trains."]), max_size=12), limit=st.integers(1, 4))
def test_batches_are_neighbours_of_one_passage_and_no_more_than_the_limit(
    passages: list[str], limit: int, tiny: CompiledBench
) -> None:
    """``form_batches``: "Consecutive items with one shared prefix, at most ``limit`` a batch."."""
    first = tiny.items["reading.en"][0]
    items: list[CompiledItem] = [
        {**first, "item_id": f"en/{number}", "input": {**first["input"], "passage": passage}}
        for number, passage in enumerate(passages)
    ]
    batches = list(form_batches(tiny.axes["reading.en"], items, limit))
    assert [item for batch in batches for item in batch] == items
    assert all(1 <= len(batch) <= limit for batch in batches)
    if limit == 1:
        return
    about = [[item["input"]["passage"] for item in batch] for batch in batches]
    assert all(len(set(batch)) == 1 for batch in about)
    assert all(left[0] != right[0] or len(left) == limit for left, right in pairwise(about)), (
        "nothing is cut for nothing"
    )


def test_a_replay_states_the_batching_of_its_run(bench: Bench, tiny: CompiledBench, tmp_path: Path) -> None:
    run_id = record(bench, tiny, tmp_path)
    model = open_harness_model(f"replay:{run_id}", root=bench.root, cache_dir=tmp_path)
    again = bench.run(tiny, model, model_spec=f"replay:{run_id}").run_id
    assert raw_lines(bench, again) == raw_lines(bench, run_id)
    assert find_batching(load_run(bench.root, again)) == {**EXACT, "method": "passage"}


def test_time_of_another_batching_is_not_planned_with(bench: Bench, tiny: CompiledBench) -> None:
    bench.run(tiny, FakeModel(), step=1.0)
    same = plan_run(bench.root, tiny, FakeModel(), model_spec="fake")
    other = plan_run(bench.root, tiny, FakeModel(batching={**EXACT, "method": "shared"}), model_spec="fake")
    assert [axis.axis_key for axis in same.axes if axis.seconds is None] == []
    assert [axis.axis_key for axis in other.axes if axis.seconds is None] == list(READING)


@pytest.fixture(scope="module")
def whole(tiny: CompiledBench, tmp_path_factory: pytest.TempPathFactory) -> dict[BatchingMethod, dict[str, bytes]]:
    """Raw lines of the whole bench, by method."""
    folder = tmp_path_factory.mktemp("whole")
    methods: list[BatchingMethod] = ["exact", "shared", "passage"]
    bench = Bench(folder / "babel-data")
    return {method: raw_lines(bench, record(bench, tiny, folder, method)) for method in methods}


@settings(max_examples=12, deadline=None)
@given(
    method=st.sampled_from(["exact", "shared", "passage"]),
    max_rows=st.integers(1, 3),
    seed=st.integers(0, 5),
    batch=st.integers(1, 4),
    stop=st.integers(0, 6),
)
def test_rows_order_batches_and_a_resume_change_no_byte_of_an_item(
    method: BatchingMethod,
    max_rows: int,
    seed: int,
    batch: int,
    stop: int,
    whole: dict[BatchingMethod, dict[str, bytes]],
) -> None:
    """contract-bench §4: "never on neighbours, so that resume, replay and shards give the same bytes"."""
    compiled = compile_bench(TINY, max_rows=max_rows, seed=seed)
    for key in READING:
        compiled.items[key] = sorted(compiled.items[key], key=lambda item: (str(item["item_id"])[::-1], seed))
    compiled.batch["reading"] = batch  # type: ignore[index]
    with TemporaryDirectory() as name, open_fake(Path(name), method) as model:
        bench = Bench(Path(name) / "babel-data")
        left = [stop]

        def interrupt(event: Event) -> None:
            left[0] -= isinstance(event, ItemDone)
            if left[0] == 0 and isinstance(event, ItemDone):
                raise KeyboardInterrupt

        bench.run(compiled, model, events=interrupt)
        with open_fake(Path(name), method) as again:
            lines = raw_lines(bench, bench.run(compiled, again, resume=True).run_id)
    assert lines
    assert lines == {item: whole[method][item] for item in lines}
