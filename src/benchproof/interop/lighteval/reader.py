"""Read a run of lighteval: its results file, and the details of its tasks where they were kept.

Source: ``lighteval/logging/evaluation_tracker.py`` and ``info_loggers.py``, 0.13. Laws: ``hash_full_prompts`` is a
constant and ``start_time`` a counter, so neither is kept; averages over tasks carry an average of standard errors,
which is none, and are left out; a bootstrapped standard error of lighteval is too small, and is not trusted.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchproof.interop.axes import digest_content, finite, make_axis, name_item, point
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import read_json
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT, UNKNOWN, ForeignAxis, ForeignRun
from benchproof.interop.lighteval.details import make_sample, read_gold
from benchproof.interop.log_files import LogFile, Look
from benchproof.interop.names import name_axes
from benchproof.interop.parquet import MAGIC, read_rows
from benchproof.interop.rules.lighteval import i017_bootstrap_error
from benchproof.interop.rules.lines import LineFaults, i005_unreadable
from benchproof.interop.shapes import WRONG_SHAPE, describe_fault
from benchproof.records.imported import ImportedMetric, ImportedRecord, ReportedNumber

HARNESS = "lighteval"
COLUMNS = ("doc", "metric", "model_response")
_FRACTIONS = frozenset(
    {"acc", "acc_norm", "em", "qem", "pem", "pqem", "exact_match", "f1", "extractive_match", "truthfulqa_mc1"}
)
_CHOICES = {"acc": "choice-accuracy.none"}


class LightevalReader:
    """Results since 0.4, with details as Parquet; a details file alone is read too."""

    format = HARNESS

    def recognise(self, look: Look) -> str | None:
        """A results document, or a table of details."""
        if look.head.startswith(MAGIC) and b"model_response" in _read_tail(look.file):
            return "details"
        document = look.document
        if isinstance(document, dict) and {"config_general", "results", "versions"} <= document.keys():
            return "results" if isinstance(document["results"], dict) else None
        return None

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """Each results file with the details that carry its date; details of no results by their date."""
        headers = [file for file, part in files if part == "results"]
        groups: dict[str, list[LogFile]] = {file.name: [file] for file in headers}
        for file, part in files:
            if part == "details":
                date = _date_of(file)
                owner = next((header.name for header in headers if _date_of(header) == date), f"details {date}")
                groups.setdefault(owner, []).append(file)
        return list(groups.values())

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run of one results file, or of details alone."""
        header = next((file for file in files if not _is_details(file)), None)
        document: dict[str, Any] = {"config_general": {}, "results": {}, "versions": {}}
        if header is not None:
            document = read_json(header.read(), place=header.place).value
        details = {_task_of(file): file for file in files if _is_details(file)}
        general = document["config_general"] or {}
        run = ForeignRun(
            harness=HARNESS,
            harness_version=str(general.get("lighteval_sha") or UNKNOWN),
            title=HARNESS,
            model=_describe_model(general),
            created_at=UNKNOWN,
            axes=[],
        )
        stated = [task for task in document["results"] if task != "all" and ":_average" not in task]
        tasks = list(dict.fromkeys([*stated, *details]))
        names = name_axes(tasks)
        for task in tasks:
            axis = _read_axis(run, document, task, names[task], header, details.get(task))
            if axis is not None:
                run.axes.append(axis)
        if not run.axes:
            raise UnreadableLogError("the files state no number", place=files[0].place, got="0 numbers")
        return run


def _read_axis(
    run: ForeignRun,
    document: Mapping[str, Any],
    task: str,
    name: str,
    header: LogFile | None,
    details: LogFile | None,
) -> ForeignAxis | None:
    config = _find_config(document, task)
    count = config.get("effective_num_docs")
    numbers = document["results"].get(task, {})
    reported = [] if header is None else list(_read_numbers(numbers, task, header.place, config, count))
    sources = [number["source"] for number in reported]
    if details is not None and not sources:
        sources = _list_scored(details)
    metrics = [_find_metric(source, has_items=details is not None) for source in sources]
    if not metrics:
        return None
    run.findings += i017_bootstrap_error(header.place if header else name, task, reported)
    version = str(document["versions"].get(task, UNKNOWN))
    shots = task.rpartition("|")[2]
    axis = make_axis(
        HARNESS,
        run.harness_version,
        axis=name,
        task=task,
        metrics=metrics,
        reported=reported,
        version=version,
        split=str((config.get("evaluation_splits") or [UNKNOWN])[0]),
        planned=count if details is not None and type(count) is int and count > 0 else 0,
    )
    setting: dict[str, Any] = {"prompt": f"harness:lighteval@{run.harness_version[:12]}/{task}@{version}"}
    if shots.isdecimal():
        setting["shots"] = int(shots)
    if axis["split"] != UNKNOWN:
        setting["split"] = axis["split"]
    limit = (document["config_general"] or {}).get("max_samples")
    selection = f"first@{limit}" if type(limit) is int else "all"
    if details is None:
        return ForeignAxis(axis, setting, lambda: iter(()), selection)
    faults = LineFaults(details.place, "row")
    file = details

    def records() -> Iterator[ImportedRecord]:
        yield from _read_records(file, task, faults)
        run.findings += faults.findings()

    return ForeignAxis(axis, setting, records, selection)


def _read_records(file: LogFile, task: str, faults: LineFaults) -> Iterator[ImportedRecord]:
    times: Counter[str] = Counter()
    with file.opened() as stream:
        for number, row in enumerate(read_rows(stream, COLUMNS, place=file.place)):
            try:
                doc = row["doc"]
                gold = read_gold(doc)
                content = digest_content(doc["query"], doc.get("choices"), doc.get("gold_index"))
                sample = make_sample(file, number, row, faults)
            except WRONG_SHAPE as fault:
                faults.add(i005_unreadable, number, describe_fault(fault))
                continue
            times[content] += 1
            faults.saw_item("doc.id", str(doc.get("id")), content, number, is_again=times[content] > 1)
            yield {
                "item_id": name_item(NO_LANGUAGE, content, times[content]),
                "task": task,
                "language": NO_LANGUAGE,
                "script": NO_SCRIPT,
                "outcome": sample["outcome"],
                "content_sha256": content,
                "aliases": {"doc_id": str(doc.get("id"))},
                "gold": gold,
                "samples": [sample],
            }


def _read_numbers(
    numbers: Mapping[str, Any], task: str, place: str, config: Mapping[str, Any], count: Any
) -> Iterator[ReportedNumber]:
    means = {
        row.get("metric_name"): row.get("corpus_level_fn")
        for row in _rows(config.get("metric") or config.get("metrics"))
    }
    for name, value in numbers.items():
        if name.endswith("_stderr") or not isinstance(value, int | float):
            continue
        number: ReportedNumber = {"source": name, "value": finite(value), "place": point(place, "results", task, name)}
        if number["value"] is None:
            number["printed"] = str(value)
        if f"{name}_stderr" in numbers:
            number["stderr"] = finite(numbers[f"{name}_stderr"])
            if "mean" not in str(means.get(name, "mean")):
                number["trust"] = "lighteval's bootstrap divides by the square root of its 1,000 draws"
        if type(count) is int and count > 0:
            number["n"] = count
        yield number


def _find_metric(source: str, *, has_items: bool) -> ImportedMetric:
    metric: ImportedMetric = {
        "metric": f"{source}@{HARNESS}",
        "rule": "as-scored" if has_items else "as-reported",
        "source": source,
        "unit": "fraction" if source in _FRACTIONS else "score",
    }
    if not has_items:
        return {**metric, "why": "the details of this task were not kept"}
    if source in _CHOICES:
        return {**metric, "metric": _CHOICES[source], "rule": _CHOICES[source]}
    return {**metric, "why": "how an item is scored is the task's own code"}


def _list_scored(file: LogFile) -> list[str]:
    with file.opened() as stream:
        first = next(read_rows(stream, ("metric",), place=file.place), None)
    scores = (first or {}).get("metric") or {}
    return [name for name, value in scores.items() if isinstance(value, int | float)]


def _describe_model(general: Mapping[str, Any]) -> dict[str, Any]:
    config = general.get("model_config") if isinstance(general.get("model_config"), dict) else {}
    name = general.get("model_name") or (config or {}).get("model_name")
    return {
        "model": str(name or UNKNOWN),
        "revision": str(general.get("model_sha") or UNKNOWN),
        "quantization": str(general.get("model_dtype") or UNKNOWN),
    }


def _find_config(document: Mapping[str, Any], task: str) -> Mapping[str, Any]:
    """The configuration of a task, whose key has a suite before the task's name in older files."""
    configs = document.get("config_tasks") or {}
    wanted = task.rpartition("|")[0] or task
    found = [config for key, config in configs.items() if key in (task, wanted) or key.endswith(f"|{wanted}")]
    return found[0] if found and isinstance(found[0], dict) else {}


def _rows(stated: Any) -> list[Mapping[str, Any]]:
    return [row for row in stated if isinstance(row, dict)] if isinstance(stated, list) else []


def _is_details(file: LogFile) -> bool:
    return Look(file).head.startswith(MAGIC)


def _read_tail(file: LogFile) -> bytes:
    """The last 64 KiB, where a Parquet file names its columns."""
    with file.opened() as stream:
        stream.seek(max(0, file.size - (1 << 16)))
        return stream.read()


def _date_of(file: LogFile) -> str:
    return file.basename.rpartition(".")[0].rpartition("_")[2]


def _task_of(file: LogFile) -> str:
    return file.basename.removeprefix("details_").rpartition("_")[0]
