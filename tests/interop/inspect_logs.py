"""Writes logs as Inspect 0.3.285 writes them, from answers that a test chooses: data of our own."""

import gzip
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchproof.interop.inspect_ai.members import DEFLATED, ZSTANDARD, load_zipfile

QUESTIONS = (("Capital of France?", "Paris"), ("Legs of a spider?", "8"), ("Colour of snow?", "white"))


def make_sample(number: int, answer: str, value: Any, *, epoch: int = 1, scorer: str = "match") -> dict[str, Any]:
    """One sample; its ``metadata.topic`` is shared by two ids at a time."""
    question, target = QUESTIONS[number % 3]
    return {
        "id": number,
        "epoch": epoch,
        "input": f"{question} ({number})",
        "target": target,
        "messages": [],
        "output": {
            "model": "tiny",
            "choices": [{"message": {"content": answer, "role": "assistant"}, "stop_reason": "stop"}],
            "completion": answer,
        },
        "scores": {scorer: {"value": value, "answer": answer, "explanation": answer, "history": []}},
        "metadata": {"topic": f"topic {number // 2}"},
        "store": {},
        "events": [],
        "attachments": {},
    }


def make_score(name: str, values: dict[str, Any], *, reducer: str = "mean", **more: Any) -> dict[str, Any]:
    """One entry of ``results.scores``."""
    return {
        "name": name,
        "scorer": name,
        "reducer": reducer,
        "params": {},
        "metrics": {one: {"name": one, "value": value, "params": {}} for one, value in values.items()},
        **more,
    }


@dataclass
class InspectLog:
    """Four questions, three of them answered rightly; change ``samples`` and ``header`` before ``write``."""

    samples: list[dict[str, Any]] = field(default_factory=list)
    header: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        answers = ("It is Paris.", "8", "black", "Paris")
        self.samples = [
            make_sample(number, answer, "I" if answer == "black" else "C") for number, answer in enumerate(answers)
        ]
        self.header = {
            "version": 2,
            "status": "success",
            "eval": {
                "eval_id": "e1",
                "run_id": "r1",
                "created": "2026-11-30T21:13:15+01:00",
                "task": "quiz",
                "task_id": "t1",
                "task_version": 0,
                "dataset": {"name": "quiz", "samples": 4, "sample_ids": [0, 1, 2, 3], "shuffled": False},
                "model": "hf/acme/tiny",
                "model_generate_config": {"temperature": 0.0},
                "model_args": {},
                "config": {"epochs": 1, "epochs_reducer": ["mean"], "fail_on_error": False},
                "packages": {"inspect_ai": "0.3.285"},
                "scorers": [{"name": "match", "options": {}, "metrics": []}],
            },
            "plan": {"name": "plan", "steps": [], "config": {}},
            "results": {
                "total_samples": 4,
                "completed_samples": 4,
                "scores": [make_score("match", {"accuracy": 0.75, "stderr": 0.25})],
            },
            "stats": {},
        }

    @property
    def metrics(self) -> dict[str, Any]:
        """The metrics of the first score."""
        found: dict[str, Any] = self.header["results"]["scores"][0]["metrics"]
        return found

    def use_epochs(self, epochs: list[list[Any]], *, scorer: str = "judged") -> None:
        """Make the log one of these values, a list an id and a value an epoch."""
        self.samples = [
            make_sample(number, "Paris", value, epoch=epoch, scorer=scorer)
            for number, values in enumerate(epochs)
            for epoch, value in enumerate(values, start=1)
        ]
        stated = self.header["eval"]
        stated["config"]["epochs"] = len(epochs[0])
        stated["dataset"] |= {"samples": len(epochs), "sample_ids": list(range(len(epochs)))}
        stated["scorers"] = [{"name": scorer}]
        self.header["results"]["total_samples"] = len(self.samples)

    def state(self, *scores: dict[str, Any]) -> None:
        """Put these entries into the results."""
        self.header["results"]["scores"] = list(scores)

    def document(self) -> dict[str, Any]:
        """The log as one JSON document."""
        return {**self.header, "samples": self.samples}

    def members(self) -> dict[str, bytes]:
        """The members of its archive, in the order in which Inspect writes them."""
        start = {key: self.header[key] for key in ("version", "eval", "plan")}
        named = {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in self.samples}
        parts = {"_journal/start.json": start, **named, "summaries.json": [], "header.json": self.header}
        return {name: json.dumps(part).encode() for name, part in parts.items()}

    def write(self, folder: Path, *, packing: int = ZSTANDARD, without: str = "") -> Path:
        """Write an archive below ``folder``; leave out the members whose names begin with ``without``."""
        members = {name: data for name, data in self.members().items() if not without or not name.startswith(without)}
        return write_archive(folder / "quiz.eval", list(members.items()), packing=packing)

    def write_json(self, folder: Path, *, packed: bool = False) -> Path:
        """Write the log as JSON."""
        folder.mkdir(parents=True, exist_ok=True)
        data = json.dumps(self.document(), indent=2).encode()
        path = folder / ("quiz.json.gz" if packed else "quiz.json")
        path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
        return path


def write_archive(path: Path, members: list[tuple[str, bytes]], *, packing: int = DEFLATED) -> Path:
    """Write members in this order, also two of one name."""
    zipfile = load_zipfile()
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (2026, 11, 30, 0, 0, 0))
            archive.writestr(info, data, compress_type=packing)
    return path
