"""What a results file says of the run and of each task: model, settings, metrics, numbers.

Source: ``lm_eval/loggers/evaluation_tracker.py`` and ``lm_eval/evaluator.py``, 0.4.9 to 0.4.13. Laws: what is absent or
empty is unknown; the commit is of the folder that the user stood in, not of the harness, and is kept as
``caller_git``; clock values that are no times of day are dropped.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from benchproof.canon import sha256_hex
from benchproof.interop.foreign_run import UNKNOWN
from benchproof.records.imported import ImportedMetric, ReportedNumber

HARNESS = "lm-eval"
NO_FILTER = "none"
_FLOATING_REVISIONS = frozenset({"", "main", "master", "head", "latest", "none"})

_CHOICE_RULES = {
    "acc": "choice-accuracy.none",
    "acc_norm": "choice-accuracy.char@lm-eval",
    "acc_bytes": "choice-accuracy.byte@lm-eval",
    "acc_mutual_info": "choice-accuracy.mutual-info@lm-eval",
    "brier_score": "brier@lm-eval",
    "exact_match": "greedy-match@lm-eval",
}
_FRACTIONS = frozenset({"acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match", "f1", "em", "contains"})
_EXACT_MATCH_OPTIONS = ("regexes_to_ignore", "ignore_case", "ignore_punctuation", "ignore_numbers")
_NO_MEANS = frozenset({"perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "weighted_perplexity"})


def is_results(document: Any) -> bool:
    """Whether a document is a results file: results by task and metric, and the versions of the tasks."""
    if not isinstance(document, dict) or not isinstance(document.get("results"), dict):
        return False
    if not isinstance(document.get("versions"), dict):
        return False
    return all(isinstance(numbers, dict) for numbers in document["results"].values())


def is_flat(document: Mapping[str, Any]) -> bool:
    """Whether it is of v0.2 or v0.3, whose metrics have no filter in their names."""
    return "configs" not in document


def describe_model(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the model that answered."""
    config = _table(document.get("config"))
    arguments = read_model_args(config.get("model_args"))
    name = _text(document.get("model_name")) or arguments.get("pretrained") or arguments.get("model")
    facts = {
        "model": name or _text(config.get("model")) or UNKNOWN,
        "revision": _text(config.get("model_sha")) or _revision(config.get("model_revision")),
        "backend": _text(config.get("model")) or UNKNOWN,
        "quantization": _describe_number_format(config, arguments),
        "chat_template": describe_chat_template(document),
    }
    return {key: value for key, value in facts.items() if value != UNKNOWN or key == "model"}


def read_model_args(stated: Any) -> dict[str, str]:
    """``a=b,c=d`` or a mapping, as texts; what is neither is empty."""
    if isinstance(stated, Mapping):
        return {str(key): str(value) for key, value in stated.items() if value is not None}
    if not isinstance(stated, str):
        return {}
    return dict(part.split("=", 1) for part in stated.split(",") if "=" in part)


def describe_chat_template(document: Mapping[str, Any]) -> str:
    """``none`` where the log says that none was applied, the digest of the one that was, else unknown."""
    if "chat_template" not in document:
        return UNKNOWN
    template = document["chat_template"]
    if template in (None, "", False):
        return "none"
    stated = _text(document.get("chat_template_sha"))
    return stated or (sha256_hex(template.encode("utf-8", "replace")) if isinstance(template, str) else UNKNOWN)


def describe_setting(document: Mapping[str, Any], task: str, chat_template: str) -> dict[str, Any]:
    """The setting of a task: only keys that the log states."""
    config = _table(_table(document.get("configs")).get(task))
    shots = _table(document.get("n-shot")).get(task, config.get("num_fewshot"))
    setting: dict[str, Any] = {}
    if isinstance(shots, int) and not isinstance(shots, bool):
        setting["shots"] = shots
    if config:
        setting["prompt"] = _describe_prompt(document, task, config)
        setting["decoding"] = describe_decoding(config)
    split = _text(config.get("test_split")) or _text(config.get("validation_split"))
    if split:
        setting["split"] = split
    if chat_template != UNKNOWN:
        setting["chat_template"] = chat_template
    return setting


def describe_decoding(config: Mapping[str, Any]) -> str:
    """``likelihood`` where nothing is generated, else ``greedy`` or the temperature, as the task's file says."""
    if config.get("output_type") != "generate_until":
        return "likelihood" if config.get("output_type") else UNKNOWN
    options = _table(config.get("generation_kwargs"))
    temperature = options.get("temperature")
    if options.get("do_sample") is False or temperature == 0:
        return "greedy"
    if isinstance(temperature, int | float) and not isinstance(temperature, bool):
        return f"sampling t={temperature:g}"
    return UNKNOWN


def read_version(document: Mapping[str, Any]) -> str:
    """The harness' version; ``0.2-0.3`` for flat files, which do not state it."""
    return _text(document.get("lm_eval_version")) or ("0.2-0.3" if is_flat(document) else UNKNOWN)


def read_date(document: Mapping[str, Any]) -> str:
    """When the run began, in UTC; unknown where the log has no such time (``start_time`` is a counter, no clock)."""
    date = document.get("date")
    if not isinstance(date, int | float) or isinstance(date, bool) or not 0 < date < 1 << 33:
        return UNKNOWN
    return datetime.fromtimestamp(date, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe_environment(document: Mapping[str, Any]) -> dict[str, Any]:
    """Facts about machine and packages, as the log states them."""
    facts = {
        "caller_git": _text(document.get("git_hash")),
        "transformers_version": _text(document.get("transformers_version")),
        "torch_environment": _text(document.get("pretty_env_info")),
        "batch_size": _text(_table(document.get("config")).get("batch_size")),
        "device": _text(_table(document.get("config")).get("device")),
    }
    return {key: value for key, value in facts.items() if value}


def read_seeds(document: Mapping[str, Any]) -> dict[str, int]:
    """The seeds of the run."""
    config = _table(document.get("config"))
    names = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
    return {name: config[name] for name in names if type(config.get(name)) is int and abs(config[name]) < 1 << 53}


def read_limit(document: Mapping[str, Any]) -> str:
    """``all``, or ``first@n`` under a limit (a share of the data is written as such)."""
    limit = _table(document.get("config")).get("limit")
    if not isinstance(limit, int | float) or isinstance(limit, bool):
        return "all"
    return f"first@{limit:g}"


def list_tasks(document: Mapping[str, Any]) -> list[str]:
    """Tasks with numbers of their own, groups left out, in the order of the file."""
    groups = {*_table(document.get("groups")), *(g for g, of in _table(document.get("group_subtasks")).items() if of)}
    return [task for task in document["results"] if task not in groups]


def read_numbers(document: Mapping[str, Any], task: str, place: str) -> list[ReportedNumber]:
    """Every number that the file states of a task or group, with its standard error and where it stands."""
    numbers = document["results"][task]
    samples = _table(_table(document.get("n-samples")).get(task)).get("effective")
    read: list[ReportedNumber] = []
    for name, value in numbers.items():
        metric, _, rule = name.partition(",")
        if metric.endswith("_stderr") or not _is_number_name(name, value, document):
            continue
        stated = _finite(value)
        number: ReportedNumber = {"source": name, "value": stated, "place": _point(place, "results", task, name)}
        if stated is None:
            number["printed"] = str(value)[:80]
        error_name = f"{metric}_stderr,{rule}" if rule else f"{metric}_stderr"
        if error_name in numbers:
            number["stderr"] = _finite(numbers[error_name])
        if type(samples) is int and samples >= 0:
            number["n"] = samples
        read.append(number)
    return read


def list_metrics(document: Mapping[str, Any], task: str, *, has_samples: bool) -> list[ImportedMetric]:
    """The metrics of a task, and the rule that computes each again."""
    config = _table(_table(document.get("configs")).get(task))
    return [
        find_metric(number["source"], config, has_samples=has_samples) for number in read_numbers(document, task, "raw")
    ]


def find_metric(source: str, config: Mapping[str, Any], *, has_samples: bool) -> ImportedMetric:
    """One metric by its name in the file, ``acc_norm,none``."""
    name, _, chosen = source.partition(",")
    suffix = "" if chosen in ("", NO_FILTER) else f"/{chosen}"
    metric: ImportedMetric = {
        "metric": f"{name}@{HARNESS}{suffix}",
        "rule": "as-scored",
        "source": source,
        "unit": "fraction" if name in _FRACTIONS else "score",
    }
    if not has_samples:
        return {**metric, "rule": "as-reported", "why": "the log has no samples of this task"}
    options = _find_options(config, name)
    aggregation = options.get("aggregation", "mean")
    if name in _NO_MEANS or aggregation not in ("mean", "nanmean", "brier_score"):
        why = f"it is no mean of item scores ({aggregation if name not in _NO_MEANS else name})"
        return {**metric, "rule": "as-reported", "why": why}
    kind = config.get("output_type")
    if kind == "multiple_choice" and name in _CHOICE_RULES:
        rule = _CHOICE_RULES[name]
        return {**metric, "metric": rule + suffix, "rule": rule}
    if kind == "loglikelihood" and name == "acc":
        return {**metric, "metric": "greedy-match@lm-eval" + suffix, "rule": "greedy-match@lm-eval"}
    if kind == "generate_until" and name == "exact_match":
        used = {key: options[key] for key in _EXACT_MATCH_OPTIONS if options.get(key)}
        rule = "exact-match@lm-eval"
        metric = {**metric, "metric": rule + suffix, "rule": rule, "filter": chosen or NO_FILTER}
        if used:
            metric["options"] = used
        return metric
    return {**metric, "why": "how an item is scored is the task's own code"}


def _find_options(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    listed = config.get("metric_list")
    rows = [row for row in listed if isinstance(row, Mapping)] if isinstance(listed, list) else []
    return next((row for row in rows if row.get("metric") == name), {})


def _describe_prompt(document: Mapping[str, Any], task: str, config: Mapping[str, Any]) -> str:
    version = _table(document.get("versions")).get(task, UNKNOWN)
    shape = "\n".join(
        str(config.get(key, "")) for key in ("description", "doc_to_text", "doc_to_target", "doc_to_choice",
                                            "target_delimiter", "fewshot_delimiter", "gen_prefix")
    )  # fmt: skip
    system = _text(document.get("system_instruction_sha"))
    template = sha256_hex((shape + (system or "")).encode("utf-8", "replace"))[:12]
    return f"harness:{HARNESS}@{read_version(document)}/{task}@{version}#{template}"


def _describe_number_format(config: Mapping[str, Any], arguments: Mapping[str, str]) -> str:
    for key in ("load_in_4bit", "load_in_8bit"):
        if arguments.get(key, "").lower() == "true":
            return key.removeprefix("load_in_")
    dtype = _text(config.get("model_dtype")) or arguments.get("dtype", "")
    dtype = dtype.removeprefix("torch.")
    return dtype if re.fullmatch(r"[a-z]+[0-9]+[a-z0-9_]*", dtype) else UNKNOWN


def _is_number_name(name: str, value: Any, document: Mapping[str, Any]) -> bool:
    if name in ("alias", "name", "sample_len", "sample_count", "samples") or not isinstance(name, str):
        return False
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    return "," in name or is_flat(document)


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if abs(value) <= (1 << 53) - 1 else None


def _revision(value: Any) -> str:
    text = _text(value)
    return text if text and text.strip().lower() not in _FLOATING_REVISIONS else UNKNOWN


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _point(place: str, *parts: str) -> str:
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
    return f"{place}#/{'/'.join(escaped)}"
