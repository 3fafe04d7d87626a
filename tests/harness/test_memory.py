"""Memory an item, counted and not timed: what is held grows with the number of items by little, and by no text."""

import gc
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from benchproof.harness import compile_bench
from benchproof.models import ControlModel
from harness.fakes import Bench

FEW, MANY = 1000, 4000
BENCH = """\
schema_version: "1.1"
name: big
bench_version: "0.1"
languages: {en: Latn}
axes:
  - axis: q
    type: choice
    data: data/q.{language}.jsonl
    prompt: "{passage} {question}"
    shared_prefix: passage
    continuation: {prefix: " "}
    metric: choice-accuracy.byte
"""


def write_bench(folder: Path, items: int) -> Path:
    """A bench of so many questions, each with a passage of its own for every second one."""
    (folder / "data").mkdir(parents=True)
    (folder / "bench.yaml").write_text(BENCH)
    with (folder / "data" / "q.en.jsonl").open("w") as file:
        for number in range(items):
            row = {
                "id": f"q{number * 7919 % items:06d}",
                "question": f"What is {number}? " + "word " * 120,
                "passage": f"Passage {number // 2}. " + "text " * 120,
                "passage_id": f"p{number // 2}",
                "choices": [f"{number}", f"{number + 1}", f"{number + 2}"],
                "answer_index": number % 3,
            }
            file.write(json.dumps(row) + "\n")
    return folder


def measure_growth(folder: Path, work: Callable[[Path], object]) -> float:
    """Bytes an item by which the largest memory of ``work`` is larger for many items than for few."""

    def measure_peak(items: int, name: str) -> int:
        bench = write_bench(folder / name, items)
        gc.collect()
        tracemalloc.start()
        try:
            work(bench)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    measure_peak(10, "warm")  # what is loaded once, and kept
    return (measure_peak(MANY, "many") - measure_peak(FEW, "few")) / (MANY - FEW)


def test_a_run_holds_at_most_150_bytes_an_item(tmp_path: Path) -> None:
    """ "runner with flat memory": an index of what is planned and recorded, and nothing else."""

    def run(bench: Path) -> None:
        outcome = Bench(tmp_path / f"{bench.name}-archive").run(
            compile_bench(bench), ControlModel("first"), events=lambda _event: None
        )
        assert outcome.status == "sealed"

    assert measure_growth(tmp_path, run) < 150
