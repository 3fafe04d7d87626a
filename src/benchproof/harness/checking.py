"""Check a bench before a model is paid for: do its files follow the rules, and can a fake pass it?

Source: contract-bench §2. Nothing is written and no archive is needed.
"""

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchproof.harness.axis_config import DroppedAxis
from benchproof.harness.compiling import BenchReading, CompiledBench, assemble_bench, read_bench
from benchproof.harness.control_lints import (
    Floor,
    ItemIds,
    ask_controls,
    b047_control_above_chance,
    b048_answer_for_free,
    find_solved_by_all,
    measure_floors,
)
from benchproof.harness.data_lints import list_data_findings
from benchproof.harness.errors import SelectionError
from benchproof.harness.ordering import sort_findings
from benchproof.results import place_register
from benchproof.rulebook import Finding

NO_REGISTER = "none"


@dataclass(frozen=True, slots=True)
class AxisFacts:
    """What an axis holds in one language: items by register, and by the position of the right choice."""

    axis_key: str
    metric: str
    items: int
    excluded: int
    shots: int
    registers: Mapping[str, int]
    positions: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class BenchCheck:
    """What a check found. ``axes``, ``floors`` and ``solved_by_all`` are empty where the bench breaks a rule.

    ``solved_by_all``: axis key → items that every control got right.
    """

    path: Path
    name: str | None
    bench_version: str | None
    digest: str | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    dropped: tuple[DroppedAxis, ...]
    axes: tuple[AxisFacts, ...]
    floors: tuple[Floor, ...]
    solved_by_all: Mapping[str, ItemIds]


def check_bench(
    path: Path,
    *,
    controls: bool = True,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _planned: None,
) -> BenchCheck:
    """Check the package at ``path``: every rule, then, where none is broken, lints and negative controls.

    Args:
        path: A folder with bench.yaml, or a configuration file.
        controls: Ask the six negative controls as well.
        seed: Of the controls.
        progress: Told how many of how many items the controls were asked.

    Raises:
        BenchNotFoundError: There is no bench.
    """
    reading = read_bench(path)
    config = reading.config
    if config is None or reading.findings:
        return _report(path, reading, reading.findings, None, ())
    findings = list_data_findings(config, reading.data)
    try:
        compiled = assemble_bench(reading, languages=None, axes=None, max_rows=None, seed=seed, chat_template="auto")
    except SelectionError:
        return _report(path, reading, findings, None, ())
    floors: tuple[Floor, ...] = ()
    if controls:
        asked = ask_controls(compiled, seed=seed, progress=progress)
        floors = tuple(measure_floors(asked))
        axis_places = {key: data.axis.place for key, data in reading.data.items()}
        findings += b047_control_above_chance(floors, asked, axis_places)
        findings += b048_answer_for_free(floors, compiled, partial(_place_items, reading))
    return _report(path, reading, findings, compiled, floors)


def _report(
    path: Path,
    reading: BenchReading,
    findings: list[Finding] | tuple[Finding, ...],
    compiled: CompiledBench | None,
    floors: tuple[Floor, ...],
) -> BenchCheck:
    config = reading.config
    return BenchCheck(
        path=path,
        name=config.name if config else None,
        bench_version=config.bench_version if config else None,
        digest=compiled.digest if compiled else None,
        findings=tuple(sort_findings(findings)),
        notes=config.notes if config else (),
        dropped=compiled.dropped if compiled else config.dropped if config else (),
        axes=tuple(_state_facts(compiled, key) for key in compiled.axes) if compiled else (),
        floors=floors,
        solved_by_all=find_solved_by_all(floors),
    )


def _place_items(reading: BenchReading, axis_key: str, wanted: Container[str]) -> dict[str, str]:
    """The place of each wanted item, by its id."""
    placed = reading.data[axis_key].items.placed()
    return {item["item_id"]: place for place, item in placed if item["item_id"] in wanted}


def _state_facts(compiled: CompiledBench, axis_key: str) -> AxisFacts:
    axis, items = compiled.axes[axis_key], compiled.items[axis_key]
    registers, positions = Counter[str](), Counter[int]()
    for item in items:
        if not item["excluded"]:
            registers[item["register"] or NO_REGISTER] += 1
            if "answer_index" in item:
                positions[item["answer_index"]] += 1
    return AxisFacts(
        axis_key=axis_key,
        metric=axis["metric"],
        items=registers.total(),
        excluded=len(items) - registers.total(),
        shots=len(axis["demonstrations"]),
        registers={name: registers[name] for name in sorted(registers, key=place_register)},
        positions=dict(sorted(positions.items())),
    )
