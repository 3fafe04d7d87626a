"""Writes runs as lm-eval 0.4.13 writes them, from likelihoods that a test chooses: data of our own."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATE = "2026-11-30T20-12-48.004572"
ITEMS = (
    ("Capital of France?", ["Paris", "London", "Rome"], [-1.0, -3.0, -4.0]),
    ("Capital of Japan?", ["大阪市", "東京", "京都"], [-2.0, -2.5, -4.0]),
    ("Colour of snow?", ["black", "blue", "white"], [-5.0, -4.0, -1.5]),
    ("Legs of a spider?", ["six", "eight legs", "ten"], [-3.0, -3.5, -6.0]),
)
GOLD = (0, 1, 2, 1)


def digest_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@dataclass
class LmEvalLog:
    """One task of likelihoods; change ``lines`` and ``results`` before ``write``."""

    task: str = "colours"
    version: str = "0.4.13"
    lines: list[dict[str, Any]] = field(default_factory=list)
    results: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = [make_line(index) for index in range(len(ITEMS))]
        self.results = {
            "results": {self.task: {"alias": self.task, "sample_len": len(ITEMS), **self._numbers()}},
            "group_subtasks": {self.task: []},
            "configs": {self.task: make_config(self.task)},
            "versions": {self.task: 1.0},
            "n-shot": {self.task: 0},
            "n-samples": {self.task: {"original": len(ITEMS), "effective": len(ITEMS)}},
            "config": {
                "model": "hf",
                "model_args": "pretrained=acme/tiny,dtype=float32",
                "model_sha": "82047f5e5d5245c1b3a4cd75ad98aa441d6487cd",
                "limit": None,
                "random_seed": 0,
            },
            "git_hash": "1f84a09f",
            "date": 1796069567.5842018,
            "lm_eval_version": self.version,
            "model_name": "acme/tiny",
            "model_name_sanitized": "acme__tiny",
            "chat_template": None,
            "start_time": 3391296.96,
            "total_evaluation_time_seconds": "0.4",
        }

    def _numbers(self) -> dict[str, Any]:
        numbers: dict[str, Any] = {}
        for name in ("acc", "acc_norm"):
            scores = [line[name] for line in self.lines]
            mean = sum(scores) / len(scores)
            variance = sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
            numbers |= {f"{name},none": mean, f"{name}_stderr,none": (variance / len(scores)) ** 0.5}
        return numbers

    def add_group(self, name: str, **numbers: Any) -> None:
        """Add a group of the one task with these numbers of the filter ``none``."""
        self.results["results"][name] = {"alias": name, **{f"{key},none": value for key, value in numbers.items()}}
        self.results["groups"] = {name: self.results["results"][name]}
        self.results["group_subtasks"] = {name: [self.task]}

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers of the task in the results file."""
        found: dict[str, Any] = self.results["results"][self.task]
        return found

    def write(self, folder: Path) -> Path:
        """Write both files below ``folder``, as lm-eval does; the folder of the run."""
        run = folder / "acme__tiny"
        run.mkdir(parents=True, exist_ok=True)
        (run / f"results_{DATE}.json").write_text(json.dumps(self.results, indent=2, ensure_ascii=False), "utf-8")
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines)
        (run / f"samples_{self.task}_{DATE}.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
        return run

    def samples_path(self, folder: Path) -> Path:
        """Where ``write`` puts the samples."""
        return folder / "acme__tiny" / f"samples_{self.task}_{DATE}.jsonl"


def make_config(task: str) -> dict[str, Any]:
    return {
        "task": task,
        "test_split": "test",
        "doc_to_text": "Question: {{q}}\nAnswer:",
        "doc_to_target": "gold",
        "doc_to_choice": "{{choices}}",
        "target_delimiter": " ",
        "fewshot_delimiter": "\n\n",
        "num_fewshot": 0,
        "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}],
        "output_type": "multiple_choice",
    }


def make_line(index: int) -> dict[str, Any]:
    question, choices, likelihoods = ITEMS[index]
    doc = {"q": question, "choices": choices, "gold": GOLD[index]}
    prompt = f"Question: {question}\nAnswer:"
    by_length = [value / len(choice) for value, choice in zip(likelihoods, choices, strict=True)]
    target = str(GOLD[index])
    return {
        "doc_id": index,
        "doc": doc,
        "target": target,
        "arguments": {f"gen_args_{at}": {"arg_0": prompt, "arg_1": f" {choice}"} for at, choice in enumerate(choices)},
        "resps": [[[str(value), "False"]] for value in likelihoods],
        "filtered_resps": [[str(value), "False"] for value in likelihoods],
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": digest_text(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": digest_text(prompt),
        "target_hash": digest_text(target),
        "acc": float(likelihoods.index(max(likelihoods)) == GOLD[index]),
        "acc_norm": float(by_length.index(max(by_length)) == GOLD[index]),
    }


def use_answers(log: LmEvalLog, answers: list[str], *, filters: tuple[str, ...] = ("none",), **options: Any) -> None:
    """Make the log one of generated answers to sums, whose targets are 4, 15, 7 and 9."""
    config = log.results["configs"][log.task]
    config["output_type"] = "generate_until"
    config["generation_kwargs"] = {"until": ["\n"], "do_sample": False, "temperature": 0.0}
    config["metric_list"] = [{"metric": "exact_match", "aggregation": "mean", **options}]
    log.lines = [make_answer_line(index, answer, chosen) for chosen in filters for index, answer in enumerate(answers)]
    scores = [line["exact_match"] for line in log.lines if line["filter"] == filters[0]]
    log.results["results"][log.task] = {
        "alias": log.task, **{f"exact_match,{chosen}": sum(scores) / len(scores) for chosen in filters},
    }  # fmt: skip


def make_answer_line(index: int, answer: str, chosen: str) -> dict[str, Any]:
    doc = {"q": f"sum {index}", "a": ("4", "15", "7", "9")[index]}
    prompt = f"Question: {doc['q']}\nAnswer:"
    return {
        "doc_id": index,
        "doc": doc,
        "target": doc["a"],
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"], "temperature": 0.0}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": chosen,
        "metrics": ["exact_match"],
        "doc_hash": digest_text(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": digest_text(prompt),
        "target_hash": digest_text(doc["a"]),
        "exact_match": float(answer == doc["a"]),
    }


def add_uneven_group(log: LmEvalLog) -> None:
    """Give the log two tasks of unlike size and an unweighted group whose standard error is the pooled one."""
    for name, mean, count, error in (("small", 0.5, 4, 0.25), ("large", 0.2, 20, 0.0918)):
        log.results["results"][name] = {"alias": name, "acc,none": mean, "acc_stderr,none": error}
        log.results["configs"][name] = make_config(name)
        log.results["versions"][name] = 1.0
        log.results["n-samples"][name] = {"original": count, "effective": count}
    pooled = ((3 * 0.25**2 * 4 + 19 * 0.0918**2 * 20) / (24 - 2) / 24) ** 0.5
    log.results["results"]["both"] = {"alias": "both", "acc,none": 0.35, "acc_stderr,none": pooled}
    log.results["groups"] = {"both": log.results["results"]["both"]}
    log.results["group_subtasks"] = {"both": ["small", "large"]}
