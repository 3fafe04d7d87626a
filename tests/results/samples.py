"""Documents in the shape that the rooms below write, for the tests of settings, tables and contrasts."""

from typing import Any

from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import AxisOfRun, ModelIdentity, RunManifest
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.results import Row

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
        "id": f"control-{name}",
        "model": f"control:{name}",
        "revision": "1",
        "family": "control",
        "variant": "other",
        "backend": "control",
        "runtime": "benchproof",
        "runtime_version": "0.1.0",
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


def make_number(**changes: Any) -> SheetNumber:
    """One number of a score sheet, as contract-formats shows it."""
    number: dict[str, Any] = {
        "tag": "zicy3hzb3wmv",
        "axis": "reading",
        "dataset": "starter/reading",
        "language": "en",
        "slice": "all",
        "metric": "choice-accuracy.byte",
        "unit": "fraction",
        "value": 0.466666666667,
        "numerator": 28,
        "denominator": 60,
        "planned": 60,
        "excluded": {"unparsed": 0, "errored": 0, "truncated": 0, "excluded": 0},
        "interval": [0.353872616592, 0.579460716741],
        "level": 0.95,
        "method": "CR1, t(11)",
        "clusters": 12,
        "chance": 0.25,
        "ties": 0,
        "flags": ["low_ci"],
    }
    return number | changes  # type: ignore[return-value]


def make_sheet(*numbers: SheetNumber, sha256: str = "a" * 64) -> ScoreSheet:
    """A score sheet of the sample run."""
    return {
        "schema_version": 1,
        "kind": "score-sheet",
        "of": {"id": "starter.smollm2.20261130T212541Z.7f3a", "sha256": sha256},
        "judgings": [],
        "scorers": [{"slug": "choice-accuracy.byte", "version": "1", "digest": "0" * 64}],
        "numbers": list(numbers),
    }


HARD_KEYS = ("shots", "prompt", "cot", "split", "model_variant", "items", "chat_template")


def make_row(**changes: Any) -> Row:
    """A row of the small instruct model; ``value`` follows ``numerator`` where only that is given.

    ``setting`` holds changes of the sample setting.
    """
    number = make_number()
    fields: dict[str, Any] = {
        "benchmark": "starter/reading@0.1",
        "draft_digest": BENCH_DIGEST,
        "hard_keys": HARD_KEYS,
        "model": "SmolLM2-135M-Instruct F16",
        "model_id": "HuggingFaceTB/SmolLM2-135M-Instruct",
        "proof": "recomputed",
        "date": "2026-11-30T21:28:05Z",
        "source": "starter.smollm2.20261130T212541Z.7f3a",
        "synthetic": False,
    }
    fields |= {key: value for key, value in number.items() if key != "also"}
    fields |= {"interval": tuple(fields["interval"]), "flags": tuple(fields["flags"])} | changes
    fields["setting"] = make_setting(**changes.get("setting", {}))
    if "numerator" in changes and "value" not in changes:
        fields["value"] = fields["numerator"] / fields["denominator"]
    return Row(**fields)


def make_control_row(**changes: Any) -> Row:
    """A row of the control that takes the longest option."""
    control: dict[str, Any] = {
        "model": "control:longest",
        "model_id": "control:longest",
        "source": "starter.control-longest.20261130T212541Z.0c0c",
        "synthetic": True,
        "setting": {"model_variant": "other", "quantization": "none"},
        "tag": "q3ma77ckd2ve",
        "numerator": 15,
        "interval": (0.158, 0.372),
    }
    return make_row(**(control | changes))
