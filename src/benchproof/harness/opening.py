"""What is fixed when a run opens, and when two runs would be the same run (contract-archive §7)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import benchproof
from benchproof.archive import SealedRun, digest_item_ids
from benchproof.canon import digest
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.registers import REGISTER_WEIGHTS
from benchproof.models import RUNTIME_SYSTEM, ModelInfo
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun, Batching, ModelIdentity, RunManifest, RunOpening
from benchproof.results import setting_of

DERIVED_FROM = "derived_from"
CONTEXT_WINDOW = "context_window"


def build_opening(
    compiled: CompiledBench,
    info: ModelInfo,
    *,
    run_id: str,
    created_at: str,
    seed: int,
    environment: Mapping[str, Any],
    options: Mapping[str, Any],
) -> RunOpening:
    """The opening of a run of ``compiled`` on the model that ``info`` describes."""
    axes = [
        state_axis(axis, compiled.items[key], info, selection=compiled.selections[key])
        for key, axis in sorted(compiled.axes.items())
    ]
    opening = RunOpening(
        schema_version=1,
        id=run_id,
        created_at=created_at,
        synthetic=info.synthetic,
        model=_state_model(info.identity, axes),
        axes=axes,
        bench=state_bench(compiled),
        harness={"name": "benchproof", "version": benchproof.__version__},
        environment={**environment, **_state_context(info), **_state_system(info)},
        seeds={"run": seed},
        options=dict(options),
    )
    if DERIVED_FROM in info.extra:
        opening["derived_from"] = info.extra[DERIVED_FROM]
    return opening


def _state_model(identity: ModelIdentity, axes: Iterable[AxisOfRun]) -> ModelIdentity:
    """The identity, with the digest of the chat template that an axis applied; ``none`` where all was sent raw."""
    applied = sorted({str(axis["setting"]["chat_template"]) for axis in axes} - {"none"})
    return {**identity, "chat_template": applied[0] if applied else "none"}


def _state_context(info: ModelInfo) -> dict[str, int]:
    """The context window in tokens: what does not fit into it is not answered, so it belongs to the run's key."""
    return {} if info.context_window is None else {CONTEXT_WINDOW: info.context_window}


def _state_system(info: ModelInfo) -> dict[str, str]:
    """What the runtime says of the processor: a fact of the machine, so no part of the run's key."""
    return {RUNTIME_SYSTEM: info.extra[RUNTIME_SYSTEM]} if info.extra.get(RUNTIME_SYSTEM) else {}


def state_axis(axis: ResolvedAxis, items: Collection[CompiledItem], info: ModelInfo, *, selection: str) -> AxisOfRun:
    """One axis in one language as the manifest states it; its counts are filled in at sealing."""
    ids_digest = digest_item_ids(item["item_id"] for item in items)
    dataset = axis["dataset"]
    stated = AxisOfRun(
        axis=axis["axis"],
        language=axis["language"],
        script=axis["script"],
        dataset={
            "slug": dataset["slug"],
            "version": dataset["version"],
            "digest": dataset["sha256"],
            "license": dataset["license"],
        },
        benchmark=axis["benchmark"],
        metric=axis["metric"],
        protocol={"resolved": digest(axis)},
        strict=False,
        setting=setting_of(
            axis,
            info.identity,
            selection=selection,
            harness_version=benchproof.__version__,
            items_digest=ids_digest,
        ),
        items={"planned": len(items), "selection": selection, "digest": ids_digest},
        counts={},
    )
    batching = state_batching(axis, info)
    if batching is not None:
        stated["batching"] = batching
    return stated


def state_batching(axis: ResolvedAxis, info: ModelInfo) -> Batching | None:
    """How the model computes likelihoods of an axis: ``passage`` is ``shared`` where items share no text."""
    if axis["type"] != "choice" or info.batching is None:
        return None
    if info.batching["method"] == "passage" and "shared_prefix" not in axis:
        return {**info.batching, "method": "shared"}
    return info.batching


def find_batching(run: SealedRun) -> Batching | None:
    """How a sealed run's model computed likelihoods: that of the first axis that has them, one with passages first."""
    stated = [axis["batching"] for axis in map(run.axis_of_run, run.axis_keys) if "batching" in axis]
    return next((one for one in stated if one["method"] == "passage"), stated[0] if stated else None)


def state_bench(compiled: CompiledBench) -> dict[str, Any]:
    """The bench of a run. An option that is off adds no key, so only what differs from the default is stated."""
    stated: dict[str, Any] = {
        "name": compiled.name,
        "bench_version": compiled.bench_version,
        "digest": compiled.digest,
    }
    weights = {axis: weight for axis, weight in sorted(compiled.weights.items()) if weight != 1}
    register_weights = {
        axis: dict(weights)
        for axis, weights in sorted(compiled.register_weights.items())
        if dict(weights) != dict(REGISTER_WEIGHTS)
    }
    if weights:
        stated["weights"] = weights
    if register_weights:
        stated["register_weights"] = register_weights
    if compiled.required:
        stated["required"] = sorted(compiled.required)
    if compiled.max_rows is not None and any(selection != "all" for selection in compiled.selections.values()):
        stated["max_rows"] = compiled.max_rows
    if compiled.dropped:
        stated["dropped"] = [
            {"axis": each.axis, "language": each.language, "reason": each.reason, "detail": each.detail}
            for each in compiled.dropped
        ]
    return stated


def list_key_facts(run: RunOpening | RunManifest) -> dict[str, Any]:
    """The facts that make two runs the same run, by a name that an error can print.

    Time, machine and run id are none of them. A manifest is comparable where the run is complete: only then its
    axes state the planned selection.
    """
    facts: dict[str, Any] = {
        "bench": run["bench"].get("name"),
        "bench version": run["bench"].get("bench_version"),
        "bench digest": run["bench"].get("digest"),
        "harness": run["harness"],
        "seeds": run["seeds"],
        "derived_from": run.get("derived_from"),
        "synthetic": run["synthetic"],
        "context window": run["environment"].get(CONTEXT_WINDOW),
    }
    facts |= {f"model {key}": value for key, value in run["model"].items()}
    for axis in run["axes"]:
        name = f"axis {axis['axis']}.{axis['language']}"
        for key in ("benchmark", "metric", "protocol", "setting", "items", "batching"):
            facts[f"{name} {key}"] = axis.get(key)
    return {name: fact for name, fact in facts.items() if fact is not None}


def find_differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """Facts that two runs do not share, sorted by name: (name, one's, the other's)."""
    names = sorted(one.keys() | other.keys())
    return [(name, one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)]
