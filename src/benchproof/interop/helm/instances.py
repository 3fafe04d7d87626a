"""The instances of a HELM run as imported records: a sample a train trial, with all requests that belong to it."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchproof.canon import sha256_hex
from benchproof.interop.axes import digest_content, finite, name_item
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT, UNKNOWN
from benchproof.interop.rules.lines import LineFaults, i011_prompt_beyond_window, i028_empty_answer
from benchproof.records.imported import ImportedMetric, ImportedRecord, ImportedSample, Origin

Scores = Mapping[tuple[str, int], Mapping[str, float | None]]
"""Instance id and trial → HELM's own statistics of it."""


class Instances:
    """The requests of a run; ``place`` is their file, ``task`` what records call theirs."""

    def __init__(self, place: str, task: str, states: Sequence[dict[str, Any]], faults: LineFaults) -> None:
        self._place = place
        self._task = task
        self._states = states
        self._faults = faults

    def read_records(self, split: str, metrics: Sequence[ImportedMetric], scores: Scores) -> Iterator[ImportedRecord]:
        """Every instance of a split with its trials; ``scores`` are HELM's own by instance and trial."""
        times: Counter[str] = Counter()
        by_item: dict[str, list[tuple[int, dict[str, Any]]]] = {}
        for number, state in enumerate(self._states):
            if not state["instance"].get("perturbation") and str(state["instance"].get("split") or UNKNOWN) == split:
                by_item.setdefault(str(state["instance"].get("id")), []).append((number, state))
        for instance_id, asked in by_item.items():
            instance = asked[0][1]["instance"]
            texts = [one["output"]["text"] for one in instance["references"]]
            gold = [one["output"]["text"] for one in instance["references"] if "correct" in one.get("tags", ())]
            content = digest_content(instance["input"].get("text", instance["input"]), texts, gold)
            times[content] += 1
            samples = list(self._make_samples(instance_id, asked, metrics, scores))
            answered = any(sample["outcome"] == "answered" for sample in samples)
            yield {
                "item_id": name_item(NO_LANGUAGE, content, times[content]),
                "task": self._task,
                "language": NO_LANGUAGE,
                "script": NO_SCRIPT,
                "outcome": "answered" if answered else "errored",
                "content_sha256": content,
                "aliases": {"instance_id": instance_id},
                "gold": gold,
                "samples": samples,
            }

    def _make_samples(
        self,
        instance_id: str,
        asked: Sequence[tuple[int, dict[str, Any]]],
        metrics: Sequence[ImportedMetric],
        scores: Scores,
    ) -> Iterator[ImportedSample]:
        """One sample a train trial; the requests of a trial, one a reference, belong to it together."""
        trials: dict[int, list[tuple[int, dict[str, Any]]]] = {}
        for number, state in asked:
            trials.setdefault(int(state.get("train_trial_index", 0)), []).append((number, state))
        for order, (trial, requests) in enumerate(sorted(trials.items()), start=1):
            number, state = requests[0]
            result = state.get("result", {})
            logged = scores.get((instance_id, trial), {})
            completions = sorted(result.get("completions", []), key=lambda one: -(finite(one.get("logprob")) or 0.0))
            text = str(completions[0]["text"]) if completions else ""
            failed = result.get("success") is False or bool(result.get("error"))
            sample: ImportedSample = {
                "number": order,
                "outcome": "errored" if failed else "answered",
                "origin": [_point_at(self._place, at, one) for at, one in requests],
                "scores": {metric["source"]: logged.get(metric["source"]) for metric in metrics},
            }
            if failed:
                sample["reason"] = str(result.get("error") or "the call did not succeed")[:500]
            if len(requests) == 1:
                mapping = state.get("output_mapping")
                taken = mapping.get(text.strip()) if isinstance(mapping, dict) else text
                sample["extracted"] = {"": None if taken is None else str(taken)}
                if not text.strip() and not failed:
                    sample["flags"] = ["empty"]
                    self._faults.add(i028_empty_answer, number)
            if logged.get("finish_reason_length"):
                sample["finish"] = "length"
            if state.get("prompt_truncated"):
                self._faults.add(i011_prompt_beyond_window, number, "HELM says so")
            yield sample


def _point_at(path: str, number: int, state: Mapping[str, Any]) -> Origin:
    """Where a request stands, with the digest of its value as the standard library writes it, keys sorted."""
    written = json.dumps(state, sort_keys=True, ensure_ascii=True)
    return {"path": path, "pointer": f"/request_states/{number}", "sha256": sha256_hex(written.encode())}
