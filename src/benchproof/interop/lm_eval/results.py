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
from benchproof.interop.lm_eval.limits import TokenLimits
from benchproof.records.imported import ReportedNumber

HARNESS = "lm-eval"
_FLOATING_REVISIONS = frozenset({"", "main", "master", "head", "latest", "none"})


def is_results(document: Any) -> bool:
    """Whether a document is a results file: results by task and metric, and the versions of the tasks."""
    if not isinstance(document, dict) or not isinstance(document.get("results"), dict):
        return False
    if not isinstance(document.get("versions"), dict) or "config_general" in document:  # the latter is lighteval's
        return False
    return all(isinstance(numbers, dict) for numbers in document["results"].values())


def is_flat(document: Mapping[str, Any]) -> bool:
    """Whether it is of v0.2 or v0.3, whose metrics have no filter in their names."""
    return "configs" not in document


def describe_model(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the model that answered."""
    config = read_table(document.get("config"))
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
    config = read_table(read_table(document.get("configs")).get(task))
    shots = read_table(document.get("n-shot")).get(task, config.get("num_fewshot"))
    setting: dict[str, Any] = {}
    if isinstance(shots, int) and not isinstance(shots, bool):
        setting["shots"] = shots
    if config:
        setting["prompt"] = _describe_prompt(document, task, config)
        setting["decoding"] = describe_decoding(config)
        if setting["decoding"] == "likelihood":
            setting["cot"] = "none"  # nothing is written before the choice is made
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
    options = read_table(config.get("generation_kwargs"))
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
        "batch_size": _text(read_table(document.get("config")).get("batch_size")),
        "device": _text(read_table(document.get("config")).get("device")),
    }
    return {key: value for key, value in facts.items() if value}


def read_seeds(document: Mapping[str, Any]) -> dict[str, int]:
    """The seeds of the run."""
    config = read_table(document.get("config"))
    names = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
    return {name: config[name] for name in names if type(config.get(name)) is int and abs(config[name]) < 1 << 53}


def read_limit(document: Mapping[str, Any]) -> str:
    """``all``, or ``first@n`` under a limit (a share of the data is written as such)."""
    limit = read_table(document.get("config")).get("limit")
    if not isinstance(limit, int | float) or isinstance(limit, bool):
        return "all"
    return f"first@{limit:g}"


def read_token_limits(document: Mapping[str, Any], task: str) -> TokenLimits:
    """The cap of an answer, the window, and the text of the token that begins a sequence, as far as they are stated."""
    options = read_table(read_table(read_table(document.get("configs")).get(task)).get("generation_kwargs"))
    bos = document.get("tokenizer_bos_token")
    text = bos[0] if isinstance(bos, list) and bos and isinstance(bos[0], str) else ""
    return TokenLimits(_positive(options.get("max_gen_toks")), _positive(document.get("max_length")), text)


def list_tasks(document: Mapping[str, Any]) -> list[str]:
    """Tasks with numbers of their own, groups left out, in the order of the file."""
    groups = {*read_table(document.get("groups"))}
    groups |= {group for group, tasks in read_table(document.get("group_subtasks")).items() if tasks}
    return [task for task in document["results"] if task not in groups]


def read_numbers(document: Mapping[str, Any], task: str, place: str) -> list[ReportedNumber]:
    """Every number that the file states of a task or group, with its standard error and where it stands."""
    numbers = document["results"][task]
    samples = read_table(read_table(document.get("n-samples")).get(task)).get("effective")
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


def _describe_prompt(document: Mapping[str, Any], task: str, config: Mapping[str, Any]) -> str:
    version = read_table(document.get("versions")).get(task, UNKNOWN)
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


def _positive(value: Any) -> int | None:
    return value if type(value) is int and 0 < value < 1 << 31 else None


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if abs(value) <= (1 << 53) - 1 else None


def _revision(value: Any) -> str:
    text = _text(value)
    return text if text and text.strip().lower() not in _FLOATING_REVISIONS else UNKNOWN


def read_table(value: Any) -> Mapping[str, Any]:
    """An object of the log, or an empty one where it has something else."""
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _point(place: str, *parts: str) -> str:
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
    return f"{place}#/{'/'.join(escaped)}"
