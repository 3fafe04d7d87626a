"""Compile a bench package into resolved axes and items: what a run executes, and nothing left to look up.

Laws kept: all faults of a package are found before the first model call; the runner executes resolved axes only, so
that a sealed run needs no package; a filter of languages or axes changes no row of what remains.
Source: contract-bench §1, §3; contract-architecture, law 3.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import benchproof
from benchproof.harness.axis_config import AxisConfig, DroppedAxis
from benchproof.harness.axis_data import AxisData, read_axis_data
from benchproof.harness.config import UNKNOWN, BenchConfig, describe_count, find_config_file, read_config
from benchproof.harness.data_rows import BuiltRows
from benchproof.harness.errors import BenchError, HarnessError, SelectionError
from benchproof.harness.keys import suggest
from benchproof.harness.ordering import sort_findings
from benchproof.harness.package import b014_foreign_code, b015_linked_files, digest_bench, stamp_bench
from benchproof.harness.selection import pick_questions
from benchproof.records.bench import CompiledItem, DatasetFacts, HarnessSettings, ResolvedAxis, Scoring
from benchproof.rulebook import Finding, Severity

ChatTemplate = Literal["auto", "always"]
DEMONSTRATION_SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class CompiledBench:
    """A bench as it will be executed. Keys of ``axes``, ``items`` and ``selections`` are axis keys, ``reading.en``.

    Items are read again from the package's data whenever they are gone through, so that memory does not grow with them.

    ``weights``, ``required`` and ``batch`` are by axis; ``register_weights`` by axis, ``""`` for the bench's own.
    ``max_rows`` is the command's cap, not an axis's own.
    """

    name: str
    title: str
    bench_version: str
    digest: str
    path: Path
    axes: dict[str, ResolvedAxis]
    items: dict[str, Sequence[CompiledItem]]
    selections: dict[str, str]
    dropped: tuple[DroppedAxis, ...]
    notes: tuple[str, ...]
    weights: Mapping[str, float]
    required: frozenset[str]
    batch: Mapping[str, int]
    registers: tuple[str, ...]
    register_weights: Mapping[str, Mapping[str, float]]
    max_wall_seconds: float
    seed: int
    max_rows: int | None

    @property
    def is_draft(self) -> bool:
        """Version ``0.x``."""
        return self.bench_version.startswith("0.")


@dataclass(frozen=True, slots=True)
class BenchReading:
    """A package as read: its configuration where there is one, its data by axis key, and every fault.

    ``stamps`` are those of its files before they were read.
    """

    config: BenchConfig | None
    data: dict[str, AxisData]
    findings: tuple[Finding, ...]
    stamps: list[tuple[str, int, int, int]]


def compile_bench(
    path: Path,
    *,
    languages: Collection[str] | None = None,
    axes: Collection[str] | None = None,
    max_rows: int | None = None,
    seed: int = 0,
    chat_template: ChatTemplate = "auto",
) -> CompiledBench:
    """Compile the package at ``path``.

    Args:
        path: A folder with bench.yaml, or a configuration file.
        languages: Only these languages; all where ``None``.
        axes: Only these axes; all where ``None``.
        max_rows: At most so many questions an axis and language; an axis's own cap holds too.
        seed: Picks the questions of a capped axis.
        chat_template: Recorded on generation axes; choice axes are always sent raw.

    Raises:
        BenchNotFoundError: There is no bench.
        BenchError: The package breaks rules; every fault is in ``findings``.
        SelectionError: A language or axis that the bench does not have, or nothing is left to run.
    """
    reading = read_bench(path)
    if reading.config is None or reading.findings:
        what = describe_count(len(reading.findings))
        raise BenchError(what, findings=reading.findings, place=str(path))
    return assemble_bench(
        reading, languages=languages, axes=axes, max_rows=max_rows, seed=seed, chat_template=chat_template
    )


def read_bench(path: Path) -> BenchReading:
    """Read configuration and data of a package and collect every error of both, sorted."""
    file = find_config_file(path)
    stamps = stamp_bench(file.parent, file)
    config, findings = read_config(path)
    if config is None:
        return BenchReading(None, {}, tuple(findings), stamps)
    code = b014_foreign_code(config.folder)
    findings = [*findings, *code, *b015_linked_files(config.folder)]
    data: dict[str, AxisData] = {}
    for axis in config.axes:
        for language, script in config.languages.items():
            if language not in axis.data or language not in axis.prompt:
                continue
            task = f"{config.name}/{axis.axis}"
            data[f"{axis.axis}.{language}"] = read_axis_data(
                config.folder, axis, language, script=script, task=task, registers=config.registers
            )
    findings += [finding for each in data.values() for finding in each.findings]
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return BenchReading(config, dict(sorted(data.items())), tuple(sort_findings(errors)), stamps)


def assemble_bench(
    reading: BenchReading,
    *,
    languages: Collection[str] | None,
    axes: Collection[str] | None,
    max_rows: int | None,
    seed: int,
    chat_template: ChatTemplate,
) -> CompiledBench:
    """Resolve what a faultless reading holds; see ``compile_bench``."""
    config = reading.config
    if config is None:
        raise BenchError("the bench could not be read", findings=reading.findings)
    _demand_known("language", languages, config.languages)
    _demand_known("axis", axes, [*(each.axis for each in config.axes), *(each.axis for each in config.dropped)])
    chosen = [axis for axis in config.axes if axes is None or axis.axis in axes]
    resolved: dict[str, ResolvedAxis] = {}
    items: dict[str, Sequence[CompiledItem]] = {}
    selections: dict[str, str] = {}
    dropped = [each for each in config.dropped if axes is None or each.axis in axes]
    dropped += _list_left_out([*config.axes, *config.dropped], axes)
    for axis in sorted(chosen, key=lambda each: each.axis):
        of_axis = {data.language: data for data in reading.data.values() if data.axis.axis == axis.axis}
        picks = pick_questions(
            {language: data.questions for language, data in of_axis.items()},
            min((cap for cap in (axis.max_rows, max_rows) if cap is not None), default=None),
            seed,
        )
        for language, data in sorted(of_axis.items()):
            if languages is not None and language not in languages:
                dropped.append(DroppedAxis(axis.axis, language, "not-asked", "left out by the command's languages"))
                continue
            kept, selection = picks[language]
            if not kept:
                dropped.append(DroppedAxis(axis.axis, language, "0-items", "every item is excluded"))
                continue
            key = f"{axis.axis}.{language}"
            resolved[key] = resolve_axis(config, data, chat_template)
            items[key] = _pick_items(data, kept, selection)
            selections[key] = selection
    if not resolved:
        raise SelectionError(
            "nothing of this bench can be run",
            place=str(config.file),
            got="; ".join(f"{each.axis}: {each.reason} ({each.detail})" for each in dropped) or "no axis",
        )
    digest = digest_bench(config.folder, config.file)
    if stamp_bench(config.folder, config.file) != reading.stamps:
        raise HarnessError("the bench changed while it was read", place=str(config.folder), hint="Run it again.")
    return CompiledBench(
        name=config.name,
        title=config.title,
        bench_version=config.bench_version,
        digest=digest,
        path=config.folder,
        axes=resolved,
        items=items,
        selections=selections,
        dropped=tuple(dropped),
        notes=config.notes,
        weights={axis.axis: axis.weight for axis in chosen},
        required=frozenset(axis.axis for axis in chosen if axis.required),
        batch={axis.axis: axis.batch for axis in chosen},
        registers=config.registers,
        register_weights=_collect_register_weights(config, chosen),
        max_wall_seconds=config.max_wall_seconds,
        seed=seed,
        max_rows=max_rows,
    )


def resolve_axis(config: BenchConfig, data: AxisData, chat_template: ChatTemplate) -> ResolvedAxis:
    """One axis in one language with nothing left to look up."""
    axis, slug = data.axis, f"{config.name}/{data.axis.axis}"
    resolved = ResolvedAxis(
        schema_version=1,
        kind="resolved-axis",
        axis=axis.axis,
        type=axis.type,
        task=slug,
        language=data.language,
        script=data.script,
        benchmark=axis.benchmark or f"{slug}@{config.bench_version}",
        metric=axis.metric,
        split=axis.split,
        dataset=_state_dataset(config, data, slug),
        prompt_template=data.prompt.text,
        demonstrations=list(data.demonstrations),
        scoring=Scoring(
            candidate_mode="answer_text",
            candidate_prefix=axis.prefix,
            candidate_suffix=axis.suffix,
            normalization=axis.normalization,
            tie_break="first",
        ),
        chat_template="none" if axis.type == "choice" else chat_template,
        harness=HarnessSettings(
            version=benchproof.__version__,
            task_config={"demonstration_separator": DEMONSTRATION_SEPARATOR},
        ),
        frozen=False,
    )
    if axis.generation is not None:
        resolved["generation"] = axis.generation
    if axis.shared_prefix is not None:
        resolved["shared_prefix"] = axis.shared_prefix.text
    return resolved


def _list_left_out(known: Sequence[AxisConfig | DroppedAxis], asked: Collection[str] | None) -> list[DroppedAxis]:
    left_out = [each.axis for each in known if asked is not None and each.axis not in asked]
    return [DroppedAxis(axis, None, "not-asked", "left out by the command's axes") for axis in left_out]


def _state_dataset(config: BenchConfig, data: AxisData, slug: str) -> DatasetFacts:
    facts = config.data_defaults
    dataset = DatasetFacts(
        slug=slug,
        version=config.bench_version,
        path=data.path,
        sha256=data.sha256,
        license=facts.get("license", UNKNOWN),
        provenance=facts.get("provenance", UNKNOWN),
        human_validated=facts.get("human_validated", False),
        publish_items=facts.get("publish_items", False),
    )
    if "canary" in facts:
        dataset["canary"] = facts["canary"]
    if "attribution" in facts:
        dataset["attribution"] = facts["attribution"]
    if "commercial_use" in facts:
        dataset["commercial_use"] = facts["commercial_use"]
    return dataset


def _pick_items(data: AxisData, kept: Set[str], selection: str) -> BuiltRows[CompiledItem]:
    """An uncapped axis keeps its excluded items too, which are recorded with their reason."""
    return data.items if selection == "all" else data.items.select(lambda item: item["global_item_id"] in kept)


def _collect_register_weights(config: BenchConfig, axes: Sequence[AxisConfig]) -> dict[str, Mapping[str, float]]:
    own = {axis.axis: axis.register_weights for axis in axes if axis.register_weights is not None}
    return {"": config.register_weights, **own}


def _demand_known(kind: str, asked: Collection[str] | None, known: Collection[str]) -> None:
    for name in asked or ():
        if name not in known:
            raise SelectionError(
                f"the bench has no such {kind}",
                got=repr(name),
                expected=f"one of {', '.join(sorted(known))}",
                hint=suggest(name, known),
            )
