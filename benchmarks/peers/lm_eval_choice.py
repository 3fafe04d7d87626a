"""lm-eval over a choice task: its own tasks, requests, metrics and sample log. Runs in the peers' environment."""

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager

from benchmarks.peers.worker import answer_lines

TASK = "made"
_MODELS: dict[str, Any] = {}
_TASKS = TaskManager(include_defaults=False)  # made once: reading its 10,000 own tasks is part of a start, not of a run


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Evaluate ``data`` (JSON Lines) with ``model`` (``dummy`` or a GGUF path); CPU seconds without import and load."""
    model = _find_model(question["model"])
    model.decoded_tokens = 0
    folder = tempfile.mkdtemp()
    begun = time.process_time()
    results = simple_evaluate(model, tasks=[_make_task(question)], bootstrap_iters=0, task_manager=_TASKS)
    tracker = EvaluationTracker(output_path=folder)
    samples = results.pop("samples")
    tracker.save_results_aggregated(results, samples)
    tracker.save_results_samples(TASK, samples[TASK])
    seconds = time.process_time() - begun
    written = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    shutil.rmtree(folder)
    likelihoods = {each["doc"]["id"]: [float(one[0]) for one in each["filtered_resps"]] for each in samples[TASK]}
    return {
        "seconds": seconds,
        "items": len(samples[TASK]),
        "bytes": written,
        "decoded_tokens": model.decoded_tokens,
        "likelihoods": likelihoods if question["model"] != "dummy" else {},
    }


def _find_model(name: str) -> Any:
    if name not in _MODELS:
        if name == "dummy":
            _MODELS[name] = DummyLM()
        else:
            from benchmarks.peers.llama_lm import LlamaLM

            _MODELS[name] = LlamaLM(name)
    return _MODELS[name]


def _make_task(question: dict[str, Any]) -> dict[str, Any]:
    return {
        "task": TASK,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": question["data"]}},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": question["prompt"],
        "doc_to_choice": "choices",
        "doc_to_target": "answer_index",
        "target_delimiter": " ",
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    }


if __name__ == "__main__":
    answer_lines(answer)
