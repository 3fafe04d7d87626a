"""A tiny run of two axes in two languages, and a model that answers it the same way every time."""

import hashlib
from pathlib import Path
from typing import Any

from benchproof.archive import OpenRun, SealedRef, axis_key_of, digest_item_ids, init_archive, open_run, render_prompt
from benchproof.archive import seal_run as seal
from benchproof.canon import digest
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun, RawLine, RunOpening

SEALED_AT = "2026-11-30T21:28:05Z"
RUN_ID = "tiny.control.20261130T212541Z.7f3a"


def make_axis(name: str = "reading", language: str = "en") -> ResolvedAxis:
    """A choice axis, or a short-answer axis with one demonstration where it is called ``facts``."""
    is_choice = name != "facts"
    axis: ResolvedAxis = {
        "schema_version": 1,
        "kind": "resolved-axis",
        "axis": name,
        "type": "choice" if is_choice else "short-answer",
        "task": f"tiny/{name}",
        "language": language,
        "script": "Latn",
        "benchmark": f"tiny/{name}@0.1",
        "metric": "choice-accuracy.byte" if is_choice else "exact-match.squad-v1.1",
        "split": "test",
        "dataset": {
            "slug": f"tiny/{name}",
            "version": "0.1",
            "path": f"data/{name}.{language}.jsonl",
            "sha256": "0" * 64,
            "license": "CC0-1.0",
            "provenance": "machine-written",
            "human_validated": False,
            "publish_items": True,
        },
        "prompt_template": "Passage: {passage}\n\nQuestion: {question}\nAnswer:" if is_choice else "Q: {question}\nA:",
        "demonstrations": [] if is_choice else [{"input": {"question": "One and one?"}, "answer": "two"}],
        "scoring": {
            "candidate_mode": "answer_text",
            "candidate_prefix": " ",
            "candidate_suffix": "",
            "normalization": "byte",
            "tie_break": "first",
        },
        "chat_template": "none",
        "harness": {"version": "0.1.0", "task_config": {"demonstration_separator": "\n\n"}},
        "frozen": False,
    }
    if is_choice:
        axis["shared_prefix"] = "passage"
    else:
        axis["generation"] = {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0}
    return axis


def make_item(axis: ResolvedAxis, number: int) -> CompiledItem:
    """Item ``number`` of an axis; the numbering runs against the sort order of the ids."""
    name = f"q{99 - number:02d}"
    item: CompiledItem = {
        "item_id": f"{axis['language']}/{name}",
        "global_item_id": name,
        "task": axis["task"],
        "language": axis["language"],
        "script": axis["script"],
        "register": "mid",
        "passage_id": f"p{number // 2}",
        "overlap_group_ids": [],
        "source_item_id": name,
        "excluded": False,
        "exclusion_reason": None,
        "input": {"question": f"What is {number}?"},
    }
    if axis["type"] == "choice":
        item["input"]["passage"] = f"A café told us {number // 2} things."
        item["choices"] = [f"It is {number}.", f"It is not {number}.", "Nobody knows."]
        item["answer_index"] = number % 3
    else:
        item["references"] = [str(number)]
    return item


def make_items(axis: ResolvedAxis, count: int = 4) -> list[CompiledItem]:
    """The first ``count`` items of an axis."""
    return [make_item(axis, number) for number in range(count)]


def make_axis_of_run(axis: ResolvedAxis, items: list[CompiledItem]) -> AxisOfRun:
    """What an opening states of an axis."""
    stated: AxisOfRun = {
        "axis": axis["axis"],
        "language": axis["language"],
        "script": axis["script"],
        "dataset": {
            "slug": axis["dataset"]["slug"],
            "version": "0.1",
            "digest": "0" * 64,
            "license": axis["dataset"]["license"],
        },
        "benchmark": axis["benchmark"],
        "metric": axis["metric"],
        "protocol": {"resolved": digest(axis)},
        "strict": False,
        "setting": {"shots": len(axis["demonstrations"]), "items": "all", "chat_template": "none"},
        "items": {
            "planned": len(items),
            "selection": "all",
            "digest": digest_item_ids(item["item_id"] for item in items),
        },
        "counts": {},
    }
    return stated


def make_parts(
    count: int = 4, run_id: str = RUN_ID
) -> tuple[RunOpening, dict[str, ResolvedAxis], dict[str, list[CompiledItem]]]:
    """Opening, axes and items of the tiny run: ``reading.en``, ``reading.ms`` and ``facts.en``."""
    axes_list = [make_axis("reading", "en"), make_axis("reading", "ms"), make_axis("facts", "en")]
    items = {f"{axis['axis']}.{axis['language']}": make_items(axis, count) for axis in axes_list}
    axes = {f"{axis['axis']}.{axis['language']}": axis for axis in axes_list}
    opening: RunOpening = {
        "schema_version": 1,
        "id": run_id,
        "created_at": "2026-11-30T21:25:41Z",
        "synthetic": True,
        "model": {
            "id": "control-tiny",
            "model": "control:tiny",
            "revision": "unknown",
            "family": "control",
            "variant": "other",
            "backend": "control",
            "runtime": "benchproof",
            "runtime_version": "0.1.0",
            "quantization": "none",
            "chat_template": "none",
        },
        "axes": [make_axis_of_run(axes[key], items[key]) for key in axes],
        "bench": {"name": "tiny", "bench_version": "0.1", "digest": "1" * 64},
        "harness": {"name": "benchproof", "version": "0.1.0"},
        "environment": {"python": "3.11"},
        "seeds": {"run": 0},
        "options": {},
    }
    return opening, axes, items


def answer(axis: ResolvedAxis, item: CompiledItem) -> RawLine:
    """What the tiny model says: a function of the item alone."""
    prompt = render_prompt(axis, item)
    seed = hashlib.sha256(item["item_id"].encode()).digest()
    if axis["type"] == "choice":
        return {
            "axis": axis["axis"],
            "call": "loglikelihood",
            "item_id": item["item_id"],
            "prompt_sha256": hashlib.sha256(prompt.encode()).hexdigest(),
            "batching": "exact",
            "context_tokens": len(prompt.split()),
            "join_token": False,
            "candidates": [
                {
                    "token_ids": [index, index + 1],
                    "token_logprobs": [-seed[index] / 16 - 0.1, -seed[index + 8] / 64 - 0.3],
                    "is_greedy": False,
                }
                for index in range(len(item["choices"]))
            ],
        }
    return {
        "axis": axis["axis"],
        "call": "generate",
        "item_id": item["item_id"],
        "prompt": prompt,
        "prompt_tokens": len(prompt.split()),
        "params": {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0},
        "text": f" {seed[0] % 4}\n",
        "token_ids": [7, 8],
        "finish": "stop",
    }


def open_tiny(root: Path, count: int = 4, run_id: str = RUN_ID, **options: Any) -> OpenRun:
    """The tiny run, open in an archive that is made where it is missing."""
    init_archive(root)
    opening, axes, items = make_parts(count, run_id)
    return open_run(root, opening, axes=axes, items=items, **options)


def answer_all(run: OpenRun, limit: int | None = None) -> int:
    """Ask whatever has no record yet, at most ``limit`` items; how many were asked."""
    asked = 0
    done = run.done()
    for axis in run.opening["axes"]:
        key = axis_key_of(axis)
        for item in run.items(key):
            if (key, item["item_id"]) in done:
                continue
            if asked == limit:
                return asked
            run.record(key, answer(run.axes[key], item), timing={"seconds": 0.25})
            asked += 1
    return asked


def seal_tiny(root: Path, count: int = 4, run_id: str = RUN_ID) -> SealedRef:
    """The tiny run, answered and sealed."""
    run = open_tiny(root, count, run_id)
    answer_all(run)
    return seal(run, sealed_at=SEALED_AT)


def evidence_of(run_path: Path) -> dict[str, bytes]:
    """Bytes of everything below ``raw/`` and ``records/``."""
    return {
        str(path.relative_to(run_path)): path.read_bytes()
        for folder in ("raw", "records")
        for path in sorted((run_path / folder).iterdir())
    }
