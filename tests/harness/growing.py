"""Benches of any size, and what the largest memory of some work on them grows by: counted, not timed."""

import gc
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Prepared = TypeVar("Prepared")

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


def write_bench(folder: Path, items: int, words: int) -> Path:
    """A bench of so many questions, each with a passage of its own for every second one."""
    (folder / "data").mkdir(parents=True)
    (folder / "bench.yaml").write_text(BENCH)
    with (folder / "data" / "q.en.jsonl").open("w") as file:
        for number in range(items):
            row = {
                "id": f"q{number * 7919 % items:06d}",
                "question": f"What is {number}? " + "word " * words,
                "passage": f"Passage {number // 2}. " + "text " * words,
                "passage_id": f"p{number // 2}",
                "choices": [f"Choice {number + 1}", f"Choice {number + 2}", f"Choice {number + 3}"],
                "answer_index": number % 3,
            }
            file.write(json.dumps(row) + "\n")
    return folder


def measure_growth(
    folder: Path,
    prepare: Callable[[Path], Prepared],
    work: Callable[[Prepared], object],
    *,
    few: int = 1000,
    many: int = 4000,
    words: int = 120,
) -> float:
    """Bytes an item by which the largest memory of ``work`` is larger for many items than for few.

    ``prepare`` makes of a bench's folder what the work is done on; its memory is not counted. Buffers of a fixed size
    hide the growth while files of ``few`` items, with ``words`` words a text, do not fill them.
    """

    def measure_peak(items: int, name: str) -> int:
        prepared = prepare(write_bench(folder / name, items, words))
        gc.collect()
        tracemalloc.start()
        try:
            work(prepared)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    measure_peak(10, "warm")  # what is loaded once, and kept
    return (measure_peak(many, "many") - measure_peak(few, "few")) / (many - few)
