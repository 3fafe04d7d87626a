"""Inspect over multiple-choice samples with its own mock model. Runs in the peers' environment.

Its mock counts tokens with an encoding that is fetched from the network at first use, and a run without a network
errors. Here each mock answer states its usage, so that nothing is counted: the figure is without token counting.
"""

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from benchmarks.peers.worker import answer_lines


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Evaluate ``data`` (JSON Lines); CPU seconds without import."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        done = make_log(Path(question["data"]), folder)
        seconds = time.process_time() - begun
        written = sum(path.stat().st_size for path in Path(folder).iterdir())
    return {"seconds": seconds, "items": done, "bytes": written}


def make_log(data: Path, folder: str) -> int:
    """Evaluate ``data`` into a log in ``folder``; how many samples it holds."""
    lines = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    samples = [
        Sample(input=line["question"], choices=line["choices"], target="ABCD"[line["answer_index"]], id=line["id"])
        for line in lines
    ]
    task = Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())
    model = get_model("mockllm/model", custom_outputs=_answer_always_a)
    (log,) = evaluate(task, model=model, log_dir=folder, display="none", fail_on_error=True)
    done = log.results.completed_samples if log.results else 0
    if log.status != "success" or done != len(lines):
        raise RuntimeError(f"inspect ended with status {log.status} after {done} of {len(lines)} samples")
    return done


def _answer_always_a(*_arguments: Any) -> ModelOutput:
    output = ModelOutput.from_content(model="mockllm", content="ANSWER: A")
    output.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
    return output


if __name__ == "__main__":
    answer_lines(answer)
