"""Rows: one number each, with all that a table needs to print it (contract-architecture, law 4).

A table is built from rows and never sees whether they came from a score sheet or from a card. This module makes the
rows of a sealed run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from benchproof.records.run import AxisOfRun, ModelIdentity, RunManifest
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.results.catalogue import list_hard_keys
from benchproof.results.comparability import Standing, find_standing
from benchproof.results.errors import RowsError
from benchproof.results.settings import UNKNOWN

Proof = Literal["printed", "intact", "recomputed", "re-asked", "replicated", "broken", "not checked"]
"""Rungs of the ladder (contract-product, proof ladder); ``broken`` and ``not checked`` are below it."""


REPEATED = frozenset({"as_reported", "as_scored"})
"""Flags of numbers that an imported log states or scores itself: bytes that are intact, and no more."""


class ManifestHolder(Protocol):
    """What is asked of a sealed run."""

    @property
    def sha256(self) -> str:
        """Digest of the manifest's bytes."""
        ...

    @property
    def manifest(self) -> RunManifest:
        """The manifest."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number of one model on one benchmark version under one setting.

    ``value``, ``interval`` and ``chance`` are in ``unit`` (``fraction``: 0 to 1). ``model_id`` tells models apart that
    are printed alike. ``date`` orders repeats; ``source`` is the run.
    """

    benchmark: str
    axis: str
    dataset: str
    metric: str
    language: str
    slice: str
    draft_digest: str | None
    setting: Mapping[str, Any]
    hard_keys: tuple[str, ...]
    model: str
    model_id: str
    unit: str
    value: float | None
    numerator: float | None
    denominator: int
    planned: int
    excluded: Mapping[str, int]
    interval: tuple[float, float] | None
    level: float
    method: str
    clusters: int
    chance: float | None
    ties: int = 0
    flags: tuple[str, ...] = ()
    also: tuple[Mapping[str, Any], ...] = field(default=())
    tag: str
    proof: Proof
    date: str
    source: str
    synthetic: bool

    @property
    def is_complete(self) -> bool:
        """Whether every planned item has a score, but for those that the bench itself leaves out."""
        return self.denominator + self.excluded.get("excluded", 0) == self.planned


def rows_of(run: ManifestHolder, sheet: ScoreSheet, *, proof: Proof) -> list[Row]:
    """The rows of a sealed run, in its score sheet's order.

    Args:
        run: The run; only its manifest and the manifest's digest are read.
        sheet: A score sheet of this run.
        proof: How far the run's numbers were checked, by whoever checked them.

    Raises:
        RowsError: The sheet is of another run, or has a number of an axis that the run does not have.
    """
    manifest = run.manifest
    if sheet["of"].get("sha256") != run.sha256:
        raise RowsError(
            "the score sheet is of another run",
            place=manifest["id"],
            got=f"{sheet['of'].get('id')} {sheet['of'].get('sha256')}",
            expected=run.sha256,
            hint="Score the run again",
        )
    axes = {(axis["axis"], axis["language"]): axis for axis in manifest["axes"]}
    standings = {key: find_standing(manifest, axis) for key, axis in axes.items()}
    rows = []
    for number in sheet["numbers"]:
        key = number["axis"], number["language"]
        if key not in axes:
            raise RowsError(
                "the score sheet has a number of an axis that the run does not have",
                place=f"{manifest['id']}, {number['tag']}",
                got=".".join(key),
                expected=", ".join(sorted(".".join(known) for known in axes)),
                hint="Score the run again",
            )
        rows.append(make_row(manifest, axes[key], _standing_of(standings[key], number), number, proof))
    return rows


def _standing_of(standing: Standing, number: SheetNumber) -> Standing:
    """The axis' standing under the number's own metric, of which an imported axis has several."""
    if number["metric"] == standing.metric:
        return standing
    hard_keys = list_hard_keys(number["metric"], sealed=True)
    return replace(standing, metric=number["metric"], hard_keys=hard_keys)


def make_row(manifest: RunManifest, axis: AxisOfRun, standing: Standing, number: SheetNumber, proof: Proof) -> Row:
    """One number of a score sheet as a row."""
    interval = number["interval"]
    return Row(
        benchmark=standing.benchmark,
        axis=axis["axis"],
        dataset=number["dataset"],
        metric=number["metric"],
        language=number["language"],
        slice=number["slice"],
        draft_digest=standing.draft_digest,
        setting=standing.setting,
        hard_keys=standing.hard_keys,
        model=label_model(manifest["model"]),
        model_id=identify_model(manifest["model"]),
        unit=number["unit"],
        value=number["value"],
        numerator=number["numerator"],
        denominator=number["denominator"],
        planned=number["planned"],
        excluded=number["excluded"],
        interval=None if interval is None else (interval[0], interval[1]),
        level=number["level"],
        method=number["method"],
        clusters=number["clusters"],
        chance=number["chance"],
        ties=number.get("ties", 0),
        flags=tuple(number["flags"]),
        also=tuple(number.get("also", ())),
        tag=number["tag"],
        proof="intact" if proof == "recomputed" and REPEATED & set(number["flags"]) else proof,
        date=manifest["sealed_at"],
        source=manifest["id"],
        synthetic=manifest["synthetic"],
    )


def label_model(model: ModelIdentity) -> str:
    """The printed name: without its organisation, with the number format of its weights where one is known."""
    name = model["model"].rsplit("/", 1)[-1]
    quantization = model["quantization"].split(" ")[0]
    return name if quantization in {"none", UNKNOWN, ""} else f"{name} {quantization}"


def identify_model(model: ModelIdentity) -> str:
    """What tells two models apart: name, revision, weights and number format; never the runtime."""
    weights = model.get("weights_sha256", UNKNOWN)
    return " ".join((model["model"], f"revision {model['revision']}", f"weights {weights}", model["quantization"]))


def describe_context(environment: Mapping[str, Any]) -> str:
    """The context window of a run; models that need none, and replays of their runs, state none."""
    tokens = environment.get("context_window")
    return f"{tokens:,} tokens" if isinstance(tokens, int) else "not recorded"
