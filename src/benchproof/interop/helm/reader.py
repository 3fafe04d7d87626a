"""Read a run folder of HELM: specification, requests with their results, statistics of instances and of the run.

Source: ``helm/benchmark/runner.py`` and ``helm/benchmark/metrics/statistic.py``, 0.5.16. Laws: the statistics of the
run are over train trials, so n and every error bar come from the instances; a statistic that is not a number was
dropped by HELM; a perturbed instance is another question and is left out, and said.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from benchproof.canon import digest
from benchproof.interop.axes import finite, make_axis, point
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import read_json
from benchproof.interop.foreign_run import UNKNOWN, ForeignAxis, ForeignRun
from benchproof.interop.helm.instances import Instances
from benchproof.interop.helm.metrics import find_metric, is_metric
from benchproof.interop.log_files import LogFile, Look
from benchproof.interop.names import name_axes
from benchproof.interop.rules.helm import i031_statistics_twice, i032_perturbed_left_out, i033_statistic_dropped
from benchproof.interop.rules.lines import LineFaults
from benchproof.records.imported import ImportedRecord, ReportedNumber

HARNESS = "helm"
_PROMPT_KEYS = (
    "method",
    "instructions",
    "input_prefix",
    "output_prefix",
    "reference_prefix",
    "global_prefix",
    "instance_prefix",
    "substitutions",
)
PARTS = ("run_spec", "scenario", "scenario_state", "stats", "per_instance_stats")


class HelmReader:
    """HELM run folders; without instances the statistics stay as reported."""

    format = HARNESS

    def recognise(self, look: Look) -> str | None:
        """One of the five files, by its keys."""
        document = look.document
        if isinstance(document, dict):
            return _recognise_table(document)
        if isinstance(document, list) and document and all(isinstance(one, dict) for one in document[:20]):
            if all({"instance_id", "stats"} <= one.keys() for one in document[:20]):
                return "per_instance_stats"
            if all({"name", "count", "sum"} <= one.keys() for one in document[:20]):
                return "stats"
        return None

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """The files of each folder that has a specification, which stands first."""
        folders: dict[str, dict[str, LogFile]] = {}
        for file, part in files:
            folders.setdefault(file.folder, {})[part] = file
        found = [parts for parts in folders.values() if "run_spec" in parts and len(parts) > 1]
        return [[parts[name] for name in PARTS if name in parts] for parts in found]

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run of one folder."""
        documents: dict[str, tuple[LogFile, Any]] = {}
        for file in files:
            part = self.recognise(Look(file))
            if part is None:
                raise UnreadableLogError("the file is no part of a HELM run", place=file.place)
            documents[part] = file, read_json(file.read(), place=file.place).value
        return _HelmRun(documents).read()


def _recognise_table(document: Mapping[str, Any]) -> str | None:
    if {"name", "scenario_spec", "adapter_spec"} <= document.keys():
        return "run_spec"
    if {"adapter_spec", "request_states"} <= document.keys():
        return "scenario_state"
    known = {"name", "description", "tags", "definition_path"}
    return "scenario" if {"name", "description", "tags"} <= document.keys() <= known else None


class _HelmRun:
    def __init__(self, documents: Mapping[str, tuple[LogFile, Any]]) -> None:
        self._documents = documents
        self._spec: dict[str, Any] = documents["run_spec"][1]
        self._adapter: dict[str, Any] = self._spec["adapter_spec"]
        self._states: list[dict[str, Any]] = documents.get("scenario_state", (None, {"request_states": []}))[1][
            "request_states"
        ]
        self._stats: list[dict[str, Any]] = documents.get("stats", (None, []))[1]
        self._instances: list[dict[str, Any]] = documents.get("per_instance_stats", (None, []))[1]
        self._place = documents.get("stats", documents["run_spec"])[0].place
        self._state_place = documents.get("scenario_state", documents["run_spec"])[0].place

    def read(self) -> ForeignRun:
        model = str(self._adapter.get("model") or UNKNOWN)
        task = ",".join(part for part in str(self._spec["name"]).split(",") if not part.startswith("model="))
        run = ForeignRun(
            harness=HARNESS,
            harness_version=UNKNOWN,
            title=task,
            model={"model": model, "backend": str(self._adapter.get("model_deployment") or UNKNOWN)},
            created_at=self._find_date(),
            axes=[],
        )
        splits = sorted({str(one["instance"].get("split") or UNKNOWN) for one in self._plain()}) or self._stat_splits()
        names = name_axes([f"{task}-{split}" for split in splits])
        for split in splits:
            axis = self._read_axis(run, task, split, names[f"{task}-{split}"])
            if axis is not None:
                run.axes.append(axis)
        perturbed = len(self._states) - len(self._plain())
        run.findings += i032_perturbed_left_out(self._place, perturbed)
        if not run.axes:
            raise UnreadableLogError("the run states no number", place=self._place, got="0 metrics")
        return run

    def _plain(self) -> list[dict[str, Any]]:
        return [one for one in self._states if not one["instance"].get("perturbation")]

    def _stat_splits(self) -> list[str]:
        return sorted(
            {str(one["name"].get("split") or UNKNOWN) for one in self._stats if is_metric(one["name"]["name"])}
        )

    def _find_date(self) -> str:
        seconds = [one.get("result", {}).get("request_datetime") for one in self._states]
        known = [one for one in seconds if isinstance(one, int | float) and 0 < one < 1 << 33]
        return datetime.fromtimestamp(min(known), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if known else UNKNOWN

    def _read_axis(self, run: ForeignRun, task: str, split: str, name: str) -> ForeignAxis | None:
        scores = self._read_scores(run, split)
        reported = self._read_reported(split)
        states = [one for one in self._plain() if str(one["instance"].get("split") or UNKNOWN) == split]
        found = {metric for of_item in scores.values() for metric in of_item if is_metric(metric)}
        names = sorted(found | {number["source"] for number in reported})
        metrics = [find_metric(one, self._adapter, has_items=bool(states)) for one in names]
        if not metrics:
            return None
        run.findings += i033_statistic_dropped(self._place, found - {number["source"] for number in reported})
        items = {(one["instance"].get("id"), digest(one["instance"]["input"])) for one in states}
        limit = self._adapter.get("max_eval_instances")
        total = len({one["instance"].get("id") for one in self._plain()})
        axis = make_axis(
            HARNESS,
            UNKNOWN,
            axis=name,
            task=f"{task}-{split}",
            metrics=metrics,
            reported=reported,
            split=split,
            planned=len(items),
            samples_each=max(1, int(self._adapter.get("num_train_trials") or 1)),
        )
        selection = f"sample@{limit}/0" if isinstance(limit, int) and total >= limit else "all"
        faults = LineFaults(self._state_place, "request")
        instances = Instances(self._state_place, f"{task}-{split}", self._states, faults)

        def records() -> Iterator[ImportedRecord]:
            yield from instances.read_records(split, metrics, scores)
            run.findings += faults.findings()

        return ForeignAxis(axis, self._describe_setting(split, states), records, selection)

    def _describe_setting(self, split: str, states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        adapter = self._adapter
        shape = [adapter.get(key) for key in _PROMPT_KEYS]
        setting: dict[str, Any] = {
            "prompt": f"harness:helm/{adapter.get('method')}#{digest(shape)[:12]}",
            "split": split,
        }
        shots = {one.get("num_train_instances") for one in states}
        if len(shots) == 1 and isinstance(only := shots.pop(), int):
            setting["shots"] = only
        if adapter.get("temperature") == 0:
            setting["decoding"] = "greedy"
        elif (temperature := finite(adapter.get("temperature"))) is not None:
            setting["decoding"] = f"sampling t={temperature:g}"
        if str(adapter.get("method", "")).endswith("chain_of_thought"):
            setting["cot"] = "cot"
        return setting

    def _read_reported(self, split: str) -> list[ReportedNumber]:
        reported: list[ReportedNumber] = []
        for index, one in enumerate(self._stats):
            name = one["name"]
            if name.get("perturbation") or str(name.get("split") or UNKNOWN) != split or not is_metric(name["name"]):
                continue
            value = finite(one.get("mean"))
            reported.append({
                "source": str(name["name"]),
                "value": value,
                "place": point(self._place, index),
                "trust": "HELM's deviation is over train trials, not over items",
            })  # fmt: skip
        return reported

    def _read_scores(self, run: ForeignRun, split: str) -> dict[tuple[str, int], dict[str, float | None]]:
        scores: dict[tuple[str, int], dict[str, float | None]] = {}
        twice: list[str] = []
        for one in self._instances:
            if one.get("perturbation"):
                continue
            key = str(one["instance_id"]), int(one.get("train_trial_index", 0))
            values = {
                str(stat["name"]["name"]): finite(stat.get("mean"))
                for stat in one["stats"]
                if not stat["name"].get("perturbation") and str(stat["name"].get("split") or UNKNOWN) == split
            }
            if values and key in scores:
                twice.append(key[0])
            elif values:
                scores[key] = values
        run.findings += i031_statistics_twice(self._place, twice)
        return scores
