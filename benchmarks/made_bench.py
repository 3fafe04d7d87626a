"""Benches made for measuring: a folder with bench.yaml and one choice axis, and runs of it into throw-away archives."""

import json
import tempfile
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from benchproof.archive import init_archive, load_run
from benchproof.harness import Clock, RunOutcome, compile_bench, run_bench
from benchproof.models import Model

AXIS_KEY = "made.en"
DATA = "data/made.jsonl"
_DECLARATION = """\
schema_version: "1.1"
bench_version: "0.1"
name: made
languages: {en: Latn}
data_defaults:
  license: CC0-1.0
  provenance: machine-written
  human_validated: false
  publish_items: true
  canary: "benchproof-made 0"
axes:
  - axis: made
    type: choice
    data: data/made.jsonl
    prompt: PROMPT
    continuation: {prefix: " "}
    metric: choice-accuracy.byte
"""


class Answer(NamedTuple):
    """Log-likelihoods of an item's candidates in nat, and which one was chosen."""

    likelihoods: list[float]
    chosen: int


def write_bench(folder: Path, prompt: str, lines: Iterable[Mapping[str, Any]], *, has_passages: bool = False) -> Path:
    """A bench of one axis over ``lines``; the data is ``data/made.jsonl`` in ``folder``, which peers read too."""
    (folder / "data").mkdir(parents=True)
    declaration = _DECLARATION.replace("PROMPT", json.dumps(prompt))
    (folder / "bench.yaml").write_text(declaration + ("    shared_prefix: passage\n" if has_passages else ""))
    texts = (json.dumps(line, ensure_ascii=False) for line in lines)
    (folder / DATA).write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    return folder


def run_made_bench(bench: Path, model: Model) -> RunOutcome:
    """Compile, ask, journal, seal: everything that ``benchproof run`` does once the model is open. Keeps nothing."""
    with tempfile.TemporaryDirectory() as folder:
        return seal_made_bench(Path(folder), bench, model)


def read_answers(bench: Path, model: Model) -> dict[str, Answer]:
    """What a sealed run of ``bench`` says, by the id in its data."""
    with tempfile.TemporaryDirectory() as folder:
        run = load_run(Path(folder), seal_made_bench(Path(folder), bench, model).run_id)
        records = [record for _line, record in run.records(AXIS_KEY)]
    return {record["item_id"].removeprefix("en/"): _read_answer(record) for record in records}


def _read_answer(record: Mapping[str, Any]) -> Answer:
    return Answer([each["logprob"] for each in record["candidates"]], record["chosen"])


def seal_made_bench(root: Path, bench: Path, model: Model) -> RunOutcome:
    """The same, into the archive at ``root``, where the run stays."""
    init_archive(root)
    return run_bench(
        root,
        compile_bench(bench),
        model,
        model_spec=model.info().identity["id"],
        clock=Clock(lambda: datetime.now(UTC), time.monotonic),
        draw_token=lambda: "0000",
        environment={},
    )
