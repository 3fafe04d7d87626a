"""Read a run of lm-eval: its results file and the sample files beside it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import read_json
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT, UNKNOWN, ForeignAxis, ForeignRun
from benchproof.interop.lm_eval import results
from benchproof.interop.lm_eval.aggregates import check_groups
from benchproof.interop.lm_eval.metrics import list_metrics
from benchproof.interop.lm_eval.samples import SampleFile, is_sample
from benchproof.interop.log_files import LogFile, Look
from benchproof.interop.names import name_axes
from benchproof.interop.rules.lines import LineFaults
from benchproof.records.imported import ImportedAxis, ImportedRecord

_PREFIX, _SUFFIX = "samples_", ".jsonl"


class LmEvalReader:
    """lm-eval 0.4.9 to 0.4.13, and the flat results of v0.2 and v0.3, which have no samples."""

    format = "lm-eval"

    def recognise(self, look: Look) -> str | None:
        """A results document, or lines that are samples."""
        if is_sample(look.first_line):
            return "samples"
        return "results" if results.is_results(look.document) else None

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """Each results file with the samples of its folder that carry its date, or that it alone can own."""
        headers = [file for file, part in files if part == "results"]
        groups: dict[str, list[LogFile]] = {file.name: [file] for file in headers}
        for file, part in files:
            if part == "samples":
                owner = _find_owner(file, headers)
                if owner is not None:
                    groups[owner.name].append(file)
        return list(groups.values())

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run of one results file."""
        header = files[0]
        document = read_json(header.read(), place=header.place).value
        if not results.is_results(document):
            raise UnreadableLogError("the file is no results file of lm-eval", place=header.place)
        tasks = results.list_tasks(document)
        samples = {_find_task(file, document): file for file in files[1:]}
        run = ForeignRun(
            harness=results.HARNESS,
            harness_version=results.read_version(document),
            title=tasks[0] if len(tasks) == 1 else results.HARNESS,
            model=results.describe_model(document),
            created_at=results.read_date(document),
            axes=[],
            environment=results.describe_environment(document),
            seeds=results.read_seeds(document),
        )
        names = name_axes(tasks)
        for task in tasks:
            run.axes.append(_read_axis(run, document, task, names[task], header, samples.get(task)))
        run.axes = [axis for axis in run.axes if axis.axis["metrics"]]
        run.findings += check_groups(document, header.place)
        if not run.axes:
            raise UnreadableLogError("the results file states no number", place=header.place, got="0 numbers")
        return run


def _find_owner(file: LogFile, headers: Sequence[LogFile]) -> LogFile | None:
    beside = [header for header in headers if header.folder == file.folder]
    dated = [header for header in beside if _date_of(header) and _date_of(header) in file.basename]
    return dated[0] if dated else beside[0] if len(beside) == 1 else None


def _date_of(header: LogFile) -> str:
    return header.basename.removesuffix(".json").rpartition("_")[2]


def _find_task(file: LogFile, document: Mapping[str, Any]) -> str:
    """The task of a sample file: its name says it, for no line does."""
    stem = file.basename.removeprefix(_PREFIX).removesuffix(_SUFFIX)
    known = [task for task in document["results"] if stem == task or stem.startswith(f"{task}_")]
    return max(known, key=len, default=stem.rpartition("_")[0])


def _read_axis(
    run: ForeignRun, document: Mapping[str, Any], task: str, name: str, header: LogFile, samples: LogFile | None
) -> ForeignAxis:
    config = document.get("configs", {}).get(task, {}) if isinstance(document.get("configs"), dict) else {}
    metrics = list_metrics(document, task, has_samples=samples is not None)
    version = str(document["versions"].get(task, UNKNOWN))
    selection = results.read_limit(document)
    axis: ImportedAxis = {
        "schema_version": 1,
        "kind": "imported-axis",
        "axis": name,
        "task": task,
        "language": NO_LANGUAGE,
        "script": NO_SCRIPT,
        "benchmark": f"{results.HARNESS}/{task}@{version}",
        "metric": metrics[0]["metric"] if metrics else "none",
        "metrics": metrics,
        "split": str(config.get("test_split") or config.get("validation_split") or UNKNOWN),
        "dataset": {"slug": f"{results.HARNESS}/{task}", "version": version, "license": UNKNOWN},
        "format": {"name": "lm-eval", "version": run.harness_version},
        "planned": _count_planned(document, task),
        "samples_each": 1,
        "reported": results.read_numbers(document, task, header.place),
    }
    setting = results.describe_setting(document, task, results.describe_chat_template(document))
    if samples is None:
        return ForeignAxis(axis, setting, lambda: iter(()), selection)
    faults = LineFaults(samples.place)
    delimiter = "" if document.get("chat_template") else str(config.get("target_delimiter", " "))
    kind, limits = str(config.get("output_type", "")), results.read_token_limits(document, task)
    reader = SampleFile(samples, task, delimiter, kind, faults, limits)

    def records() -> Iterator[ImportedRecord]:
        yield from reader.records()
        run.findings += faults.findings()

    return ForeignAxis(axis, setting, records, selection)


def _count_planned(document: Mapping[str, Any], task: str) -> int:
    stated = document.get("n-samples")
    counts = stated.get(task) if isinstance(stated, dict) else None
    effective = counts.get("effective") if isinstance(counts, dict) else None
    return effective if type(effective) is int and effective >= 0 else 0
