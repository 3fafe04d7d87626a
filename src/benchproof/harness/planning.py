"""Say what a run would do before its first call: items, calls, tokens, hours, and what will not run.

Hours come from timings of sealed runs of the same weights and runtime in this archive; without any they are unknown,
and nothing is guessed. Source: contract-bench §4.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from benchproof.archive import ArchiveError, RunSummary, candidate_texts, list_runs, load_run, render_prompt
from benchproof.canon import parse
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.finding_runs import find_sealed_run
from benchproof.harness.fitting import Misfit, find_misfits
from benchproof.harness.opening import build_opening
from benchproof.models import MAX_BRANCHES, Model, ModelInfo
from benchproof.records.bench import AxisType
from benchproof.records.run import Batching, RunManifest

TIMINGS = "attachments/timings.ndjson"


@runtime_checkable
class CountsTokens(Protocol):
    """A model that can say how many tokens a text has, without answering it."""

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` as the model would read it."""
        ...


@dataclass(frozen=True, slots=True)
class AxisPlan:
    """What one axis and language would ask. ``tokens``, ``seconds`` are ``None`` where they are unknown.

    ``calls`` are requests to the model; ``continuations`` the candidates scored by them (choice axes).
    """

    axis_key: str
    type: AxisType
    selection: str
    items: int
    excluded: int
    calls: int
    continuations: int
    tokens: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run would do. ``will_not_run`` pairs what is left out with the reason.

    ``misfits`` are the items that do not fit the context window; they are counted among the items.
    ``sealed`` is the run that a reusing command would find instead; the seconds were read from ``timed_by``.
    """

    bench: str
    bench_version: str
    model_spec: str
    model_id: str
    axes: tuple[AxisPlan, ...]
    will_not_run: tuple[tuple[str, str], ...]
    misfits: tuple[Misfit, ...]
    notes: tuple[str, ...]
    sealed: str | None
    timed_by: tuple[str, ...]
    max_wall_seconds: float

    @property
    def items(self) -> int:
        """Items that would be asked."""
        return sum(axis.items for axis in self.axes)

    @property
    def tokens(self) -> int | None:
        """Tokens of all prompts and candidates, where every axis knows them."""
        known = [axis.tokens for axis in self.axes if axis.tokens is not None]
        return sum(known) if len(known) == len(self.axes) else None

    @property
    def hours(self) -> float | None:
        """Hours that the calls would take, where every axis knows its seconds."""
        known = [axis.seconds for axis in self.axes if axis.seconds is not None]
        return sum(known) / 3600 if len(known) == len(self.axes) else None


def plan_run(
    root: Path | None,
    compiled: CompiledBench,
    model: Model,
    *,
    model_spec: str,
    max_wall_seconds: float | None = None,
    workers: int = 1,
) -> RunPlan:
    """Plan a run of ``compiled`` on ``model``: no call is made, nothing is written.

    ``root``: the archive, if any. ``workers``: how many will answer side by side.
    """
    info = model.info()
    pace, timed_by = _read_pace(root, info) if root is not None else ({}, ())
    counter = model if isinstance(model, CountsTokens) else None
    wide = {key: _count_wide_items(compiled, key, info.batching) for key in compiled.axes}
    # What other axes took says nothing of items that are asked a decode a candidate.
    paces = {
        key: pace.get(f"{compiled.name} {key}", None if wide[key] else pace.get(compiled.axes[key]["type"]))
        for key in wide
    }
    axes = tuple(_plan_axis(compiled, key, counter, paces[key], workers) for key in sorted(compiled.axes))
    return RunPlan(
        bench=compiled.name,
        bench_version=compiled.bench_version,
        model_spec=model_spec,
        model_id=info.identity["id"],
        axes=axes,
        will_not_run=tuple(_list_left_out(compiled, info)),
        misfits=tuple(find_misfits(compiled, model)),
        notes=(
            *compiled.notes,
            *(f"{info.identity['id']}: {note}" for note in info.extra.get("notes", [])),
            *_note_wide_items(axes, wide),
        ),
        sealed=_find_sealed(root, compiled, info),
        timed_by=timed_by,
        max_wall_seconds=compiled.max_wall_seconds if max_wall_seconds is None else max_wall_seconds,
    )


def _count_wide_items(compiled: CompiledBench, key: str, batching: Batching | None) -> int:
    """How many items have more candidates than one decode can tell apart, where a decode would take all of them."""
    if compiled.axes[key]["type"] != "choice" or batching is None or batching["method"] == "exact":
        return 0
    return sum(len(item.get("choices") or ()) > MAX_BRANCHES for item in compiled.items[key] if not item["excluded"])


def _note_wide_items(axes: Iterable[AxisPlan], wide: Mapping[str, int]) -> Iterator[str]:
    for axis in axes:
        if wide[axis.axis_key]:
            yield (
                f"{axis.axis_key}: {wide[axis.axis_key]} of {axis.items} items have more than {MAX_BRANCHES} candidates"
                " and are asked in exact, one decode a candidate, which takes several times as long"
            )


def _plan_axis(
    compiled: CompiledBench, key: str, counter: CountsTokens | None, seconds: float | None, workers: int
) -> AxisPlan:
    axis = compiled.axes[key]
    asked = continuations = tokens = 0
    for item in compiled.items[key]:
        if item["excluded"]:
            continue
        scored = [text for _choice, text in candidate_texts(axis, item)]
        asked += 1
        continuations += len(scored)
        if counter is not None:
            tokens += sum(counter.count_tokens(text) for text in (render_prompt(axis, item), *scored))
    return AxisPlan(
        axis_key=key,
        type=axis["type"],
        selection=compiled.selections[key],
        items=asked,
        excluded=len(compiled.items[key]) - asked,
        calls=asked,
        continuations=continuations,
        tokens=None if counter is None else tokens,
        seconds=None if seconds is None else seconds * asked / workers,
    )


def _list_left_out(compiled: CompiledBench, info: ModelInfo) -> Iterable[tuple[str, str]]:
    for each in compiled.dropped:
        name = each.axis if each.language is None else f"{each.axis}.{each.language}"
        yield name, f"{each.reason}: {each.detail}"
    if not info.has_chat_template and any(axis["chat_template"] == "always" for axis in compiled.axes.values()):
        yield "everything", "chat template: always, and the model has none"


def _find_sealed(root: Path | None, compiled: CompiledBench, info: ModelInfo) -> str | None:
    if root is None:
        return None
    opening = build_opening(
        compiled, info, run_id="plan", created_at="unknown", seed=compiled.seed, environment={}, options={}
    )
    found = find_sealed_run(root, opening, on_damage=lambda _name, _error: None)
    return found.id if found else None


def _read_pace(root: Path, info: ModelInfo) -> tuple[dict[str, float], tuple[str, ...]]:
    """Seconds an item, by ``<bench> <axis key>`` and by type of axis, from the newest runs that have them."""
    pace: dict[str, float] = {}
    used: list[str] = []
    for run in list_runs(root, on_damage=lambda _name, _error: None)[::-1]:
        if not _is_same_runtime(run.manifest, info) or "derived_from" in run.manifest:
            continue
        found = _read_timings(root, run, _list_methods(info))
        if any(name not in pace for name in found):
            used.append(run.id)
        pace = {**found, **pace}
    return pace, tuple(used)


def _is_same_runtime(manifest: RunManifest, info: ModelInfo) -> bool:
    theirs, ours = manifest["model"], info.identity
    keys = ("id", "weights_sha256", "quantization", "runtime", "runtime_version")
    return all(theirs.get(key) == ours.get(key) for key in keys)


def _list_methods(info: ModelInfo) -> frozenset[str]:
    """Batching methods that a run of this model uses; the time of another one says nothing about it."""
    if info.batching is None:
        return frozenset()
    method = info.batching["method"]
    return frozenset({"shared", "passage"} if method == "passage" else {method})


def _read_timings(root: Path, run: RunSummary, methods: frozenset[str]) -> dict[str, float]:
    if not any(entry["path"] == TIMINGS for entry in run.manifest["files"]):
        return {}
    try:
        lines = [parse(line) for line in load_run(root, run.id).read(TIMINGS).splitlines()]
    except ArchiveError:
        return {}
    bench = run.manifest["bench"].get("name", "")
    metrics = {
        f"{axis['axis']}.{axis['language']}": axis
        for axis in run.manifest["axes"]
        if "batching" not in axis or axis["batching"]["method"] in methods
    }
    sums: dict[str, list[float]] = {}
    for line in lines:
        seconds, key = line["timing"].get("seconds"), line["axis_key"]
        if seconds is None or key not in metrics:
            continue
        kind = "choice" if metrics[key]["setting"].get("decoding") == "likelihood" else "short-answer"
        for name in (f"{bench} {key}", kind):
            sums.setdefault(name, []).append(seconds)
    return {name: sum(values) / len(values) for name, values in sums.items()}
