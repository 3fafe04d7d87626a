"""From two sealed runs to a contrast: scores an item from the evidence, texts of the items that flip."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from benchproof.analysis.contrast import contrast_runs
from benchproof.analysis.contrast_parts import AxisContrast, Contrast, Flip, ScoredAxis, ScoredRun, Side
from benchproof.analysis.gate import gate_runs, select_axes
from benchproof.analysis.gate_parts import Gate
from benchproof.analysis.imported_evidence import (
    find_paired_metric,
    read_imported_answers,
    read_imported_items,
    read_imported_keys,
)
from benchproof.analysis.pairing import ScoredItem
from benchproof.archive import is_imported
from benchproof.canon import digest
from benchproof.records.bench import CompiledItem
from benchproof.records.run import RunManifest
from benchproof.results import find_standing, identify_model, label_model, list_hard_keys
from benchproof.scores import Evidence, number_tag
from benchproof.scores.item_scores import score_axis

if TYPE_CHECKING:
    from benchproof.scores.imported_items import ImportedEvidence

UNIT = "fraction"
"""Of every score that the scorers at hand give."""


class ComparedRun(Evidence, Protocol):
    """A sealed run: its evidence and its manifest; ``archive.SealedRun`` is one."""

    @property
    def manifest(self) -> RunManifest:
        """The manifest."""
        ...


def compare_runs(
    run_a: ComparedRun,
    run_b: ComparedRun,
    *,
    margin: float | None = None,
    level: float = 0.95,
    seed: int = 0,
    texts: bool = False,
) -> Contrast:
    """Contrast two sealed runs from their evidence; no model is asked.

    Args:
        run_a: A; differences are A − B.
        run_b: B.
        margin: Equivalence margin in the metric's unit (``0.02`` is two points); by default the metric's tolerance.
        level: Of the intervals; 1 − level is the size of the tests.
        seed: Of sign patterns, where they are too many to enumerate.
        texts: Read what each run answered on the items that flip.

    Raises:
        ContrastError: The same run twice, no common axis, other benchmark versions, a margin or level out of range.
        EvidenceError: Items and records of a run do not fit one another.
    """
    shared = set(run_a.axis_keys) & set(run_b.axis_keys)
    contrast = contrast_runs(
        read_scored_run(run_a, shared), read_scored_run(run_b, shared), margin=margin, level=level, seed=seed
    )
    if not texts:
        return contrast
    return replace(contrast, axes=tuple(_read_texts(axis, run_a, run_b) for axis in contrast.axes))


def gate_sealed_runs(
    candidate: ComparedRun,
    reference: ComparedRun,
    *,
    margin: float,
    axes: Collection[str] = (),
    allow: Collection[str] = (),
    level: float = 0.95,
) -> Gate:
    """Hold one sealed run against another (``gate_runs``); the items of axes that are not gated are not read.

    Raises:
        GateError: The same run twice, an unknown axis or key, a margin or level out of range.
        EvidenceError: Items and records of a run do not fit one another.
    """
    wanted = set(select_axes(sorted(reference.axis_keys), axes))
    return gate_runs(
        read_scored_run(candidate, wanted & set(candidate.axis_keys)),
        read_scored_run(reference, wanted),
        margin=margin,
        axes=axes,
        allow=allow,
        level=level,
    )


def read_scored_run(run: ComparedRun, wanted: Collection[str]) -> ScoredRun:
    """A run with the scores of the ``wanted`` axis keys; the others are there without items."""
    manifest = run.manifest
    side = Side(
        run=run.id,
        sha256=run.sha256,
        model=label_model(manifest["model"]),
        model_id=identify_model(manifest["model"]),
        synthetic=manifest["synthetic"],
        sealed_at=manifest["sealed_at"],
    )
    items: dict[str, list[ScoredItem]] = {}
    imported = [key for key in wanted if is_imported(run.axis_of_run(key))]
    for key in imported:
        items[key] = read_imported_items(cast("ImportedEvidence", run), key)
    for axis in sorted({run.axis_of_run(key)["axis"] for key in wanted if key not in imported}):
        for key, scores in score_axis(run, axis).items():
            if key in wanted:
                contents = {item["item_id"]: _digest_content(item) for item in run.items(key)}
                items[key] = [
                    ScoredItem(score.item_id, score.score, contents[score.item_id], score.cluster) for score in scores
                ]
    return ScoredRun(side, {key: _make_axis(run, key, items.get(key, [])) for key in run.axis_keys})


def _make_axis(run: ComparedRun, axis_key: str, items: list[ScoredItem]) -> ScoredAxis:
    axis = run.axis_of_run(axis_key)
    standing, scorer = find_standing(run.manifest, axis), axis["metric"]
    if is_imported(axis):
        metric = find_paired_metric(cast("ImportedEvidence", run), axis_key)
        if metric is not None:
            scorer = metric["rule"]
            hard_keys = list_hard_keys(metric["metric"], sealed=True)
            standing = replace(standing, metric=metric["metric"], hard_keys=hard_keys)
    tag = number_tag(
        run.sha256,
        axis=axis["axis"],
        dataset=axis["dataset"]["slug"],
        language=axis["language"],
        slice="all",
        metric=standing.metric,
        scorer=scorer,
    )
    return ScoredAxis(standing, axis["axis"], UNIT, tag, items)


def _digest_content(item: CompiledItem) -> str:
    """Of what is asked and what is right: two items of one id with another digest are not one item."""
    asked = {name: item[name] for name in ("input", "choices", "answer_index", "references") if name in item}
    return digest(asked)


def _read_texts(axis: AxisContrast, run_a: ComparedRun, run_b: ComparedRun) -> AxisContrast:
    if not axis.flips:
        return axis
    wanted = {flip.item_id for flip in axis.flips}
    key = axis.axis_key
    answers_a, answers_b = _read_answers(run_a, key, wanted), _read_answers(run_b, key, wanted)
    if is_imported(run_a.axis_of_run(key)):
        keys = read_imported_keys(cast("ImportedEvidence", run_a), key, wanted)
    else:
        keys = {item["item_id"]: _describe_key(item) for item in run_a.items(key) if item["item_id"] in wanted}
    return replace(axis, flips=tuple(_add_texts(axis.flips, answers_a, answers_b, keys)))


def _add_texts(
    flips: Iterable[Flip], answers_a: dict[str, str], answers_b: dict[str, str], keys: dict[str, str]
) -> Iterable[Flip]:
    for flip in flips:
        yield replace(flip, answer_a=answers_a[flip.item_id], answer_b=answers_b[flip.item_id], key=keys[flip.item_id])


def _read_answers(run: ComparedRun, axis_key: str, wanted: Collection[str]) -> dict[str, str]:
    if is_imported(run.axis_of_run(axis_key)):
        return read_imported_answers(cast("ImportedEvidence", run), axis_key, wanted)
    return {
        record["item_id"]: _describe_answer(record)
        for _, record in run.records(axis_key)
        if record["item_id"] in wanted
    }


def _describe_answer(record: dict[str, Any]) -> str:
    """The chosen candidate's text, or the generated answer."""
    if "candidates" in record:
        return str(record["candidates"][record["chosen"]]["text"])
    return str(record["answer"])


def _describe_key(item: CompiledItem) -> str:
    if "choices" in item:
        return item["choices"][item["answer_index"]]
    return " | ".join(item["references"])
