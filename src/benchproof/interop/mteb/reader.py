"""Read a folder of MTEB results: one model's files, one a task.

Source: ``mteb/results/task_result.py``, 2.26, and its reading of files before 1.11. Laws: there are no items and no
counts, so every number stays as reported; a subset in several languages is of none of them; a language is only what the
file states.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchproof.interop.axes import finite, make_axis, point
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import read_json
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT, UNKNOWN, ForeignAxis, ForeignRun
from benchproof.interop.log_files import LogFile, Look
from benchproof.interop.names import name_axes
from benchproof.interop.rules.mteb import i038_mixed_versions, i039_impossible_ranks

if TYPE_CHECKING:
    from benchproof.records.imported import ImportedMetric, ReportedNumber

HARNESS = "mteb"
SEVERAL_LANGUAGES = "mul"
"""BCP 47: several languages."""

_FRACTIONS = ("accuracy", "f1", "precision", "recall", "ap", "max_ap", "map", "mrr", "ndcg", "hit_rate", "v_measure")
_BESIDE = frozenset({"evaluation_time", "hf_subset", "languages", "scores_per_experiment", "dataset_revision"})
_OLD_BESIDE = frozenset({"mteb_dataset_name", "mteb_version", "dataset_revision"})


class MtebReader:
    """MTEB since 1.11 (``scores``) and before (splits at the top)."""

    format = HARNESS

    def recognise(self, look: Look) -> str | None:
        """A task's results, or what is known of the model."""
        document = look.document
        if not isinstance(document, dict):
            return None
        if "mteb_version" in document and ("scores" in document or "mteb_dataset_name" in document):
            return "task"
        if {"name", "revision", "languages", "framework"} <= document.keys():
            return "model"
        return "task" if _is_old(document) else None

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """The files of each folder: a model's results stand in one of their own."""
        folders: dict[str, list[LogFile]] = {}
        for file, _ in files:
            folders.setdefault(file.folder, []).append(file)
        with_tasks = {file.folder for file, part in files if part == "task"}
        return [found for folder, found in folders.items() if folder in with_tasks]

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run of one folder."""
        documents = [(file, read_json(file.read(), place=file.place).value) for file in files]
        meta: dict[str, Any] = next((document for _, document in documents if "framework" in document), {})
        tasks = [(file, document) for file, document in documents if "framework" not in document]
        versions = sorted({str(document.get("mteb_version") or UNKNOWN) for _, document in tasks})
        name = str(meta.get("name") or _model_of(files[0].folder))
        run = ForeignRun(
            harness=HARNESS,
            harness_version=versions[0] if len(versions) == 1 else "mixed",
            title=HARNESS,
            model={"model": name, "revision": str(meta.get("revision") or UNKNOWN)},
            created_at=UNKNOWN,
            axes=[],
        )
        run.findings += i038_mixed_versions(files[0].place, versions)
        parts = [part for file, document in tasks for part in _list_parts(file, document)]
        names = name_axes([part.key for part in parts])
        for part in parts:
            run.findings += i039_impossible_ranks(part.place, part.scores)
            run.axes.append(_make_axis(part, names[part.key]))
        if not run.axes:
            raise UnreadableLogError("the files state no number", place=files[0].place, got="0 numbers")
        return run


class _Part:
    """The scores of one split and subset of a task."""

    def __init__(
        self, task: str, split: str, subset: str, scores: dict[str, float], place: str, document: Mapping[str, Any]
    ) -> None:
        self.task, self.split, self.subset, self.scores, self.place = task, split, subset, scores, place
        self.version = str(document.get("dataset_revision") or UNKNOWN)
        self.harness_version = str(document.get("mteb_version") or UNKNOWN)
        self.languages: list[str] = []

    @property
    def key(self) -> str:
        """What tells the part from the others of its run."""
        return "-".join(
            part for part in (self.task, self.split, "" if self.subset == "default" else self.subset) if part
        )


def _list_parts(file: LogFile, document: Mapping[str, Any]) -> Iterator[_Part]:
    if isinstance(document.get("scores"), dict):
        task = str(document.get("task_name") or file.basename.removesuffix(".json"))
        for split, entries in document["scores"].items():
            for index, entry in enumerate(entries):
                scores = _flatten(entry)
                part = _Part(
                    task,
                    split,
                    str(entry.get("hf_subset") or "default"),
                    scores,
                    point(file.place, "scores", split, index),
                    document,
                )
                part.languages = [str(one) for one in entry.get("languages") or ()]
                if scores:
                    yield part
        return
    task = str(document.get("mteb_dataset_name") or file.basename.removesuffix(".json"))
    for split, entry in document.items():
        if split in _OLD_BESIDE or not isinstance(entry, dict):
            continue
        subsets = {key: one for key, one in entry.items() if isinstance(one, dict) and _has_tables(one)}
        for subset, one in subsets.items():
            yield _Part(task, split, subset, _flatten(one), point(file.place, split, subset), document)
        whole = _flatten({key: one for key, one in entry.items() if key not in subsets})
        if whole:
            yield _Part(task, split, "default", whole, point(file.place, split), document)


def _has_tables(entry: Mapping[str, Any]) -> bool:
    """Whether an entry holds scores by kind of similarity, as a language's does, rather than scores."""
    return any(isinstance(one, dict) for one in entry.values())


def _flatten(entry: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Every number of an entry by its name, ``cos_sim.pearson`` where it is nested."""
    flat: dict[str, float] = {}
    for key, one in entry.items():
        if key in _BESIDE:
            continue
        if isinstance(one, dict):
            flat |= _flatten(one, f"{prefix}{key}.")
        elif (number := finite(one)) is not None:
            flat[f"{prefix}{key}"] = number
    return flat


def _make_axis(part: _Part, name: str) -> ForeignAxis:
    main_first = sorted(part.scores, key=lambda one: (one != "main_score", one))
    metrics: list[ImportedMetric] = [
        {
            "metric": f"{one}@{HARNESS}",
            "rule": "as-reported",
            "source": one,
            "unit": "fraction" if one.rpartition(".")[2].partition("_at_")[0] in _FRACTIONS else "score",
            "why": "MTEB keeps no items",
        }
        for one in main_first
    ]
    reported: list[ReportedNumber] = [
        {"source": one, "value": part.scores[one], "place": f"{part.place}/{one.replace('.', '/')}"}
        for one in main_first
    ]
    language, script = _read_language(part.languages)
    axis = make_axis(
        HARNESS,
        part.harness_version,
        axis=name,
        task=part.task,
        metrics=metrics,
        reported=reported,
        version=part.version,
        language=language,
        script=script,
        split=part.split,
        dataset={"subset": part.subset, "languages": part.languages},
    )
    setting = {"split": part.split, "subset": part.subset, "harness": f"{HARNESS}@{part.harness_version}"}
    return ForeignAxis(axis, setting, lambda: iter(()))


def _read_language(stated: Sequence[str]) -> tuple[str, str]:
    """``dan-Latn`` as language and script; several are none of them."""
    if len(stated) > 1:
        return SEVERAL_LANGUAGES, NO_SCRIPT
    language, _, script = stated[0].partition("-") if stated else ("", "", "")
    is_plain = language.isascii() and language.isalpha() and 2 <= len(language) <= 8
    return (language if is_plain else NO_LANGUAGE), (script if script.isalpha() and len(script) == 4 else NO_SCRIPT)


def _model_of(folder: str) -> str:
    """The model whose results stand in ``<organisation>__<name>/<revision>``, where the folders are named so."""
    named = [part for part in folder.split("/") if "__" in part]
    return named[-1].replace("__", "/", 1) if named else UNKNOWN


def _is_old(document: Mapping[str, Any]) -> bool:
    """Whether a document that states no version is of before 1.11: splits, each with its time and its scores."""
    splits = [key for key in document if key not in _OLD_BESIDE]
    return bool(splits) and all(
        isinstance(document[split], dict) and "evaluation_time" in document[split] for split in splits
    )
