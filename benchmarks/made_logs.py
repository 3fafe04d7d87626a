"""Makes logs as lm-eval writes them, of any size, from numbers that follow from the item's index."""

import hashlib
import json
from pathlib import Path
from typing import Any

CHOICES = ("alpha beta gamma delta", "東京 is a city of some size", "gamma rays are the answer", "delta of the nile")
DATE = "2026-11-30T20-12-48.004572"


def write_log(folder: Path, items: int) -> int:
    """Write results and samples of one task; the size of both files in bytes. About 3 kB an item, four choices."""
    folder.mkdir(parents=True)
    sums = {"acc": 0.0, "acc_norm": 0.0}
    samples = folder / f"samples_made_{DATE}.jsonl"
    with samples.open("w", encoding="utf-8") as stream:
        for index in range(items):
            line = _make_line(index)
            for name in sums:
                sums[name] += line[name]
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    numbers = {f"{name},none": total / items for name, total in sums.items()}
    results = folder / f"results_{DATE}.json"
    results.write_text(json.dumps(_make_results(numbers, items), indent=2), encoding="utf-8")
    return samples.stat().st_size + results.stat().st_size


def _make_results(numbers: dict[str, float], items: int) -> dict[str, object]:
    config = {
        "task": "made",
        "output_type": "multiple_choice",
        "test_split": "test",
        "doc_to_text": "Question: {{q}}\nAnswer:",
        "target_delimiter": " ",
        "num_fewshot": 0,
        "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}],
    }
    return {
        "results": {"made": numbers},
        "group_subtasks": {"made": []},
        "configs": {"made": config},
        "versions": {"made": 1.0},
        "n-shot": {"made": 0},
        "n-samples": {"made": {"original": items, "effective": items}},
        "config": {"model": "hf", "model_args": "pretrained=made/model", "limit": None},
        "date": 1796069567.5,
        "lm_eval_version": "0.4.13",
        "model_name": "made/model",
        "chat_template": None,
    }


def _make_line(index: int) -> dict[str, Any]:
    question = f"Question number {index}: " + "which of these is the capital of the land with the longest river? " * 5
    gold = index % 4
    doc = {"q": question, "choices": CHOICES, "gold": gold}
    prompt = f"Question: {question}\nAnswer:"
    likelihoods = [-10.0 - ((index * 7 + at * 3) % 13) * 0.37 for at in range(4)]
    by_length = [value / len(choice) for value, choice in zip(likelihoods, CHOICES, strict=True)]
    return {
        "doc_id": index,
        "doc": doc,
        "target": str(gold),
        "arguments": {f"gen_args_{at}": {"arg_0": prompt, "arg_1": f" {choice}"} for at, choice in enumerate(CHOICES)},
        "resps": [[[str(value), "False"]] for value in likelihoods],
        "filtered_resps": [[str(value), "False"] for value in likelihoods],
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": _digest(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _digest(prompt),
        "target_hash": _digest(str(gold)),
        "acc": float(likelihoods.index(max(likelihoods)) == gold),
        "acc_norm": float(by_length.index(max(by_length)) == gold),
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
