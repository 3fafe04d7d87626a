"""A run in memory, built item by item: the ``Evidence`` that scoring reads."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchproof.records.bench import AxisType, CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun


def make_axis(axis: str, language: str, axis_type: AxisType, metric: str) -> ResolvedAxis:
    return {
        "schema_version": 1,
        "kind": "resolved-axis",
        "axis": axis,
        "type": axis_type,
        "task": f"tiny/{axis}",
        "language": language,
        "script": "Latn",
        "benchmark": f"tiny/{axis}@0.1",
        "metric": metric,
        "split": "test",
        "dataset": {
            "slug": f"tiny/{axis}",
            "version": "0.1",
            "path": f"data/{axis}.{language}.jsonl",
            "sha256": "0" * 64,
            "license": "CC0-1.0",
            "provenance": "machine-written",
            "human_validated": False,
            "publish_items": True,
        },
        "prompt_template": "{question}",
        "demonstrations": [],
        "scoring": {
            "candidate_mode": "answer_text",
            "candidate_prefix": " ",
            "candidate_suffix": "",
            "normalization": "byte",
            "tie_break": "first",
        },
        "chat_template": "none",
        "harness": {"version": "0.1.0", "task_config": {}},
        "frozen": False,
    }


def make_item(
    language: str,
    name: str,
    *,
    passage: str | None = None,
    groups: Sequence[str] = (),
    register: str | None = None,
    choices: Sequence[str] = (),
    answer_index: int = 0,
    references: Sequence[str] = (),
    excluded: bool = False,
) -> CompiledItem:
    item: CompiledItem = {
        "item_id": f"{language}/{name}",
        "global_item_id": name,
        "task": "tiny/task",
        "language": language,
        "script": "Latn",
        "register": register,
        "passage_id": passage,
        "overlap_group_ids": list(groups),
        "source_item_id": name,
        "excluded": excluded,
        "exclusion_reason": "duplicate" if excluded else None,
        "input": {"question": f"What is {name}?"},
    }
    if choices:
        item["choices"] = list(choices)
        item["answer_index"] = answer_index
    if references:
        item["references"] = list(references)
    return item


def make_choice_record(item: CompiledItem, logprobs: Sequence[float]) -> dict[str, Any]:
    return {
        "item_id": item["item_id"],
        "outcome": "answered",
        "candidates": [
            {"text": text, "scored_text": f" {text}", "utf8_bytes": len(text) + 1, "tokens": 1, "logprob": logprob}
            for text, logprob in zip(item["choices"], logprobs, strict=True)
        ],
    }


def make_answer_record(item: CompiledItem, answer: str, finish: str = "stop") -> dict[str, Any]:
    return {"item_id": item["item_id"], "outcome": "answered", "answer": answer, "finish": finish}


def make_failure(item: CompiledItem, outcome: str) -> dict[str, Any]:
    return {"item_id": item["item_id"], "outcome": outcome, "reason": "backend"}


@dataclass
class MemoryRun:
    """Axes with their items and records by axis key."""

    id: str = "tiny.fake.20261130T212541Z.0000"
    sha256: str = "ca058ab4c230c771c3e34ca930a2e4becce723955c8528b9d6435c4b52e5141e"
    axes: dict[str, ResolvedAxis] = field(default_factory=dict)
    planned: dict[str, list[CompiledItem]] = field(default_factory=dict)
    answered: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def add(self, axis: ResolvedAxis, pairs: Sequence[tuple[CompiledItem, dict[str, Any] | None]]) -> "MemoryRun":
        key = f"{axis['axis']}.{axis['language']}"
        self.axes[key] = axis
        self.planned[key] = [item for item, _ in pairs]
        records = [record for _, record in pairs if record is not None]
        self.answered[key] = sorted(records, key=lambda record: str(record["item_id"]))
        return self

    @property
    def axis_keys(self) -> tuple[str, ...]:
        return tuple(self.axes)

    def axis(self, axis_key: str) -> ResolvedAxis:
        return self.axes[axis_key]

    def axis_of_run(self, axis_key: str) -> AxisOfRun:
        axis = self.axes[axis_key]
        return {
            "axis": axis["axis"],
            "language": axis["language"],
            "script": "Latn",
            "dataset": {},
            "benchmark": axis["benchmark"],
            "metric": axis["metric"],
            "protocol": {},
            "strict": False,
            "setting": {},
            "items": {"planned": len(self.planned[axis_key]), "selection": "all", "digest": "0" * 64},
            "counts": {},
        }

    def items(self, axis_key: str) -> Iterator[CompiledItem]:
        return iter(self.planned[axis_key])

    def records(self, axis_key: str) -> Iterator[tuple[Any, dict[str, Any]]]:
        return ((None, record) for record in self.answered[axis_key])


def make_reading_run(
    rights: Sequence[int], size: int, *, language: str = "en", metric: str = "choice-accuracy.byte"
) -> MemoryRun:
    """A choice axis: passage number g has ``rights[g]`` right answers of ``size``; registers turn high, mid, low."""
    pairs: list[tuple[CompiledItem, dict[str, Any] | None]] = []
    for passage, right in enumerate(rights):
        for question in range(size):
            item = make_item(
                language,
                f"p{passage:02d}-q{question}",
                passage=f"p{passage:02d}",
                register=("high", "mid", "low")[passage % 3],
                choices=("aa", "bb", "cc", "dd"),
                answer_index=question % 4,
            )
            logprobs = [-8.0] * 4
            logprobs[question % 4 if question < right else (question + 1) % 4] = -2.0
            pairs.append((item, make_choice_record(item, logprobs)))
    return MemoryRun().add(make_axis("reading", language, "choice", metric), pairs)


def digest_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
