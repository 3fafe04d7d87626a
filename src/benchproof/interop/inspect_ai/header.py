"""What an Inspect log says of its run: model, settings, how much was asked, how it ended, what was edited.

Source: ``inspect_ai/log/_log.py`` (``EvalLog``), versions 1 to 3 of its schema. Laws: what is absent is unknown; the
revision is of the task's repository, not of the harness; paths of the machine that ran it are not repeated.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from benchproof.interop.foreign_run import UNKNOWN

HARNESS = "inspect"
STATUSES = ("started", "success", "cancelled", "error")
SYNTHETIC = frozenset({"mockllm"})
"""Providers of Inspect that answer from a list of the test that runs them."""

_FLOATING = frozenset({"main", "master", "head", "latest", "none"})
_IDS = ("eval_id", "run_id", "eval_set_id", "task_id")
_LIMITS = ("message_limit", "token_limit", "time_limit", "working_limit", "cost_limit")


def is_log(document: Any) -> bool:
    """Whether a document is a log: how it ended, and what was evaluated on which model."""
    if not isinstance(document, dict) or not isinstance(document.get("eval"), dict):
        return False
    return document.get("status") in STATUSES and {"task", "model"} <= document["eval"].keys()


def describe_model(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the model that answered; ``provider/name`` is Inspect's own name for it."""
    stated = read_table(document["eval"])
    name = read_text(stated.get("model")) or UNKNOWN
    arguments = read_table(stated.get("model_args"))
    facts = {"model": name}
    if "/" in name:
        facts["backend"] = name.partition("/")[0]
    revision = read_text(arguments.get("revision"))
    if revision and revision.lower() not in _FLOATING:
        facts["revision"] = revision
    dtype = read_text(arguments.get("torch_dtype")) or read_text(arguments.get("dtype"))
    if dtype and dtype != "auto":
        facts["quantization"] = dtype.removeprefix("torch.")
    return facts


def is_synthetic(document: Mapping[str, Any]) -> bool:
    """Whether no model answered, but a list of answers."""
    return str(document["eval"].get("model")).partition("/")[0] in SYNTHETIC


def describe_setting(document: Mapping[str, Any], version: str) -> dict[str, Any]:
    """The keys of the catalogue that the log states."""
    stated = read_table(document["eval"])
    setting: dict[str, Any] = {"prompt": f"harness:inspect@{version}/{stated['task']}@{read_version(document)}"}
    options = read_generation(document)
    decoding = _describe_decoding(options)
    if decoding:
        setting["decoding"] = decoding
    effort = read_text(options.get("reasoning_effort"))
    if effort:
        setting["effort"] = effort
    epochs = read_epochs(document)
    if epochs:
        setting["samples"] = epochs
    config = read_table(stated.get("config"))
    limits = {"max_tokens": options.get("max_tokens"), **{name: config.get(name) for name in _LIMITS}}
    told = [f"{name} {value}" for name, value in limits.items() if isinstance(value, int | float) and value]
    if told:
        setting["compute"] = ", ".join(told)
    return setting


def read_generation(document: Mapping[str, Any]) -> dict[str, Any]:
    """The options of generation that stand in the log, the plan's over the model's."""
    plan = read_table(read_table(document.get("plan")).get("config"))
    return {**read_table(document["eval"].get("model_generate_config")), **plan}


def read_harness_version(document: Mapping[str, Any]) -> str:
    """The version of Inspect, where the log states it."""
    return read_text(read_table(document["eval"].get("packages")).get("inspect_ai")) or UNKNOWN


def read_version(document: Mapping[str, Any]) -> str:
    """The task's version; 0 is Inspect's word for none."""
    version = document["eval"].get("task_version")
    return str(version)[:80] if version not in (None, 0, "", "0") else UNKNOWN


def read_date(document: Mapping[str, Any]) -> str:
    """When the run was begun, in UTC."""
    try:
        created = datetime.fromisoformat(str(document["eval"].get("created")))
        return created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if created.tzinfo else UNKNOWN
    except (ValueError, OverflowError):
        return UNKNOWN


def read_epochs(document: Mapping[str, Any]) -> int | None:
    """How many times each sample was asked, where the log states it."""
    epochs = read_table(document["eval"].get("config")).get("epochs")
    return epochs if type(epochs) is int and 0 < epochs < 1 << 31 else None


def read_reducers(document: Mapping[str, Any]) -> list[str]:
    """The reducers of epochs by name; the mean where none is named."""
    stated = read_table(document["eval"].get("config")).get("epochs_reducer")
    names = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    return [name for name in names if isinstance(name, str) and name] or ["mean"]


def count_planned(document: Mapping[str, Any]) -> tuple[int, int]:
    """Items that were asked, and how many times each; the log's total counts every time."""
    stated = read_table(document["eval"])
    dataset = read_table(stated.get("dataset"))
    listed = dataset.get("sample_ids")
    ids = len({str(one) for one in listed}) if isinstance(listed, list) else 0
    total = _count(read_table(document.get("results")).get("total_samples"))
    epochs = read_epochs(document)
    if epochs is None:
        epochs = total // ids if ids and total and total % ids == 0 else 1
    if not ids:
        limit, size = read_table(stated.get("config")).get("limit"), _count(dataset.get("samples"))
        ids = min(limit, size) if type(limit) is int and limit > 0 else size
    # A log from which samples were taken out still says how many there were.
    return max(ids, -(-total // epochs)), epochs


def find_selection(document: Mapping[str, Any]) -> str:
    """``all``, or which part of the dataset was asked."""
    stated = read_table(document["eval"])
    config, size = read_table(stated.get("config")), _count(read_table(stated.get("dataset")).get("samples"))
    limit, planned = config.get("limit"), count_planned(document)[0]
    if config.get("sample_id") is not None:
        return f"sample@{planned}"
    if type(limit) is int and 0 < limit < size:
        shuffled = read_table(stated.get("dataset")).get("shuffled") is True
        return f"{'sample' if shuffled else 'first'}@{limit}"
    return f"sample@{planned}" if isinstance(limit, list) else "all"


def describe_environment(document: Mapping[str, Any]) -> dict[str, Any]:
    """Facts that name the run and what it ran with."""
    stated = read_table(document["eval"])
    revision = read_table(stated.get("revision"))
    facts: dict[str, Any] = {name: read_text(stated.get(name)) for name in _IDS}
    facts["status"] = str(document["status"])
    if read_text(revision.get("commit")):
        facts["caller_git"] = read_text(revision.get("commit"))
    if isinstance(revision.get("dirty"), bool):
        facts["caller_git_dirty"] = revision["dirty"]
    packages = {
        str(name): value for name, value in read_table(stated.get("packages")).items() if isinstance(value, str)
    }
    if packages:
        facts["packages"] = packages
    return {name: value for name, value in facts.items() if value != ""}


def read_seeds(document: Mapping[str, Any]) -> dict[str, int]:
    """The seed of generation, where one is stated."""
    seed = read_generation(document).get("seed")
    return {"generation": seed} if type(seed) is int and abs(seed) < 1 << 53 else {}


def describe_error(document: Mapping[str, Any]) -> str:
    """The first line of what ended the run, or nothing."""
    return first_line(read_table(document.get("error")).get("message"))


def list_updates(document: Mapping[str, Any]) -> tuple[list[str], str]:
    """What was edited in the log itself, and who says so."""
    updates = document.get("log_updates")
    edits: list[str] = []
    authors: list[str] = []
    for update in updates if isinstance(updates, list) else []:
        table = read_table(update)
        author = read_text(read_table(table.get("provenance")).get("author"))
        authors += [author] if author else []
        listed = table.get("edits")
        edits += [f"log: {read_text(read_table(one).get('type')) or 'edit'}" for one in listed or []]
    if document.get("invalidated") is True:
        edits.append("log: invalidated")
    return edits, ", ".join(dict.fromkeys(authors))[:80]


def first_line(message: Any) -> str:
    """The first line of a message, 200 characters at most."""
    lines = message.strip().splitlines() if isinstance(message, str) else []
    return lines[0][:200] if lines else ""


def read_table(value: Any) -> Mapping[str, Any]:
    """An object of the log, or an empty one where it has something else."""
    return value if isinstance(value, Mapping) else {}


def read_text(value: Any) -> str:
    """A text of the log, or an empty one."""
    return value.strip() if isinstance(value, str) else ""


def _describe_decoding(options: Mapping[str, Any]) -> str:
    temperature = options.get("temperature")
    if isinstance(temperature, bool) or not isinstance(temperature, int | float):
        return ""
    return "greedy" if temperature == 0 else f"sampling t={temperature:g}"


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value < 1 << 31 else 0
