"""Writes logs as HELM, MTEB, lighteval and Every Eval Ever write them: data of our own."""

import hashlib
import json
from pathlib import Path
from typing import Any


def write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2), "utf-8")


class HelmLog:
    """A run of two questions with four choices each; change ``documents`` before ``write``."""

    def __init__(self) -> None:
        self.documents: dict[str, Any] = {
            "run_spec": {
                "name": "quiz:method=multiple_choice_joint,model=acme_tiny",
                "scenario_spec": {"class_name": "quiz.Scenario", "args": {}},
                "adapter_spec": {
                    "method": "multiple_choice_joint",
                    "instructions": "Answer.",
                    "model": "acme/tiny",
                    "model_deployment": "acme/tiny",
                    "temperature": 0.0,
                    "max_eval_instances": 10,
                    "num_train_trials": 1,
                },
            },
            "scenario": {"name": "quiz", "description": "A quiz.", "tags": []},
            "scenario_state": {"adapter_spec": {}, "request_states": [make_state(0, " A"), make_state(1, " C")]},
            "stats": [make_stat("exact_match", 0.5), make_stat("num_references", 3.0)],
            "per_instance_stats": [make_instance(0, 1.0), make_instance(1, 0.0)],
        }

    def write(self, folder: Path) -> None:
        for name, document in self.documents.items():
            write_json(folder / "quiz" / f"{name}.json", document)


def make_state(index: int, completion: str) -> dict[str, Any]:
    choices = ("red", "green", "blue")
    return {
        "instance": {
            "input": {"text": f"What colour is thing {index}?"},
            "references": [
                {"output": {"text": choice}, "tags": ["correct"] if choice == "red" else []} for choice in choices
            ],
            "split": "test",
            "id": f"id{index}",
        },
        "train_trial_index": 0,
        "output_mapping": dict(zip("ABC", choices, strict=True)),
        "request": {"prompt": f"What colour is thing {index}?"},
        "result": {
            "success": True,
            "completions": [{"text": completion, "logprob": 0.0, "tokens": []}],
            "request_datetime": 1762354922,
        },
        "num_train_instances": 5,
        "prompt_truncated": False,
    }


def make_stat(name: str, mean: float) -> dict[str, Any]:
    return {"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "sum_squared": mean, "mean": mean}


def make_instance(index: int, score: float) -> dict[str, Any]:
    stats = [make_stat("exact_match", score), make_stat("num_references", 3.0)]
    return {"instance_id": f"id{index}", "train_trial_index": 0, "stats": stats}


def make_mteb(task: str, version: str, **scores: float) -> dict[str, Any]:
    entry = {"hf_subset": "default", "languages": ["dan-Latn"], **scores}
    return {
        "dataset_revision": "3bc5cfb4",
        "task_name": task,
        "mteb_version": version,
        "scores": {"test": [entry]},
        "evaluation_time": 6.0,
    }


def make_lighteval(task: str, count: int, **numbers: float) -> dict[str, Any]:
    return {
        "config_general": {"lighteval_sha": "203045a8", "model_name": "acme/tiny", "start_time": 620979.8},
        "results": {task: numbers, "all": numbers},
        "versions": {task: 0},
        "config_tasks": {task: {"effective_num_docs": count, "evaluation_splits": ["test"]}},
    }


def write_record(folder: Path, score: float, scores: list[float], *, checksum: str | None = None) -> None:
    """A record of Every Eval Ever with a file of instances."""
    rows = [
        {
            "schema_version": "0.3.0",
            "evaluation_id": "quiz/acme_tiny/1",
            "model_id": "acme/tiny",
            "evaluation_name": "quiz",
            "sample_id": f"q{index}",
            "interaction_type": "single_turn",
            "input": {"raw": f"What is 2 + {index}?", "reference": [str(2 + index)]},
            "output": {"raw": [str(2 + index)]},
            "answer_attribution": [{"extracted_value": str(2 + index), "is_terminal": True}],
            "evaluation": {"score": one},
        }
        for index, one in enumerate(scores)
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "record_samples.jsonl").write_bytes(data)
    record = {
        "schema_version": "0.3.0",
        "evaluation_id": "quiz/acme_tiny/1",
        "evaluation_timestamp": "1750000000",
        "source_metadata": {"source_name": "Quiz", "source_organization_name": "Acme"},
        "eval_library": {"name": "quiz", "version": "1.0"},
        "model_info": {"id": "acme/tiny"},
        "evaluation_results": [
            {
                "evaluation_name": "quiz",
                "metric_config": {"metric_id": "accuracy", "min_score": 0.0, "max_score": 1.0},
                "score_details": {"score": score},
            }
        ],
        "detailed_evaluation_results": {
            "hash_algorithm": "sha256",
            "checksum": checksum or hashlib.sha256(data).hexdigest(),
            "total_rows": len(rows),
        },
    }
    write_json(folder / "record.json", record)
