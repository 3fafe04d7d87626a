"""Documents in the shape that the rooms below write, for the tests of settings, tables and contrasts."""

from typing import Any

from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import AxisOfRun, ModelIdentity, RunManifest

BENCH_DIGEST = "b" * 64
ITEMS_DIGEST = "1" * 64


def make_axis(**changes: Any) -> ResolvedAxis:
    """A choice axis of the starter bench in English."""
    axis: dict[str, Any] = {
        "schema_version": 1,
        "kind": "resolved-axis",
        "axis": "reading",
        "type": "choice",
        "task": "starter/reading",
        "language": "en",
        "script": "Latn",
        "benchmark": "starter/reading@0.1",
        "metric": "choice-accuracy.byte",
        "split": "test",
        "dataset": {"slug": "starter/reading", "version": "0.1"},
        "prompt_template": "Passage: {passage}\n\nQuestion: {question}\nAnswer:",
        "demonstrations": [],
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
    return axis | changes  # type: ignore[return-value]


def make_short_answer_axis(**changes: Any) -> ResolvedAxis:
    """A short-answer axis with three demonstrations."""
    demonstrations = [{"input": {"question": f"{n} + {n}?"}, "answer": str(2 * n)} for n in (1, 2, 3)]
    facts: dict[str, Any] = {
        "axis": "facts",
        "type": "short-answer",
        "metric": "exact-match.squad-v1.1",
        "benchmark": "starter/facts@0.1",
        "prompt_template": "Question: {question}\nAnswer:",
        "demonstrations": demonstrations,
        "generation": {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0},
        "chat_template": "auto",
    }
    return make_axis(**(facts | changes))


def make_model(**changes: Any) -> ModelIdentity:
    """The small instruct model, as a manifest names it."""
    model: dict[str, Any] = {
        "id": "smollm2-135m-instruct",
        "model": "HuggingFaceTB/SmolLM2-135M-Instruct",
        "revision": "unknown",
        "family": "smollm2",
        "variant": "instruct",
        "backend": "gguf",
        "runtime": "ik-llama-cpp-python",
        "runtime_version": "0.1.5",
        "weights_sha256": "f" * 64,
        "quantization": "F16 from Q4_1",
        "chat_template": "c" * 64,
    }
    return model | changes  # type: ignore[return-value]


def make_control(name: str = "random", **changes: Any) -> ModelIdentity:
    """A negative control, as a manifest names it."""
    control: dict[str, Any] = {
        "id": f"control:{name}",
        "model": f"control:{name}",
        "revision": "1",
        "family": "control",
        "variant": "other",
        "backend": "control",
        "runtime": "none",
        "runtime_version": "none",
        "quantization": "none",
        "chat_template": "none",
    }
    return control | changes  # type: ignore[return-value]


def make_axis_of_run(**changes: Any) -> AxisOfRun:
    """An axis of a run, as its manifest states it."""
    axis: dict[str, Any] = {
        "axis": "reading",
        "language": "en",
        "script": "Latn",
        "dataset": {"slug": "starter/reading", "version": "0.1", "digest": "7" * 64, "license": "CC0-1.0"},
        "benchmark": "starter/reading@0.1",
        "metric": "choice-accuracy.byte",
        "protocol": {"resolved": "e" * 64},
        "strict": False,
        "setting": make_setting(),
        "items": {"planned": 60, "selection": "all", "digest": ITEMS_DIGEST},
        "counts": {"answered": 60},
    }
    return axis | changes  # type: ignore[return-value]


def make_setting(**changes: Any) -> dict[str, Any]:
    """The setting of the reading axis under the small instruct model."""
    setting = {
        "shots": 0,
        "prompt": "custom:1d1f00c0ffee",
        "cot": "none",
        "decoding": "likelihood",
        "split": "test",
        "model_variant": "instruct",
        "chat_template": "none",
        "items": "all",
        "quantization": "F16 from Q4_1",
        "harness": "benchproof@0.1.0",
    }
    return setting | changes


def make_manifest(**changes: Any) -> RunManifest:
    """The manifest of a sealed run of the starter bench with one axis in English."""
    manifest: dict[str, Any] = {
        "schema_version": 1,
        "kind": "run",
        "id": "starter.smollm2.20261130T212541Z.7f3a",
        "status": "sealed",
        "created_at": "2026-11-30T21:25:41Z",
        "sealed_at": "2026-11-30T21:28:05Z",
        "synthetic": False,
        "partial": False,
        "model": make_model(),
        "axes": [make_axis_of_run()],
        "bench": {"name": "starter", "bench_version": "0.1", "digest": BENCH_DIGEST},
        "harness": {"name": "benchproof", "version": "0.1.0"},
        "environment": {},
        "seeds": {"run": 0},
        "files": [],
    }
    return manifest | changes  # type: ignore[return-value]
