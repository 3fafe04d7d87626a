"""What models that know nothing score on a bench: its floors (contract-bench.md §2, ``check``).

Everything happens in memory: each control is asked every item, records are made as in a run, and the scorers of
sealed runs give the numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchproof.archive import make_record
from benchproof.harness.calls import ask_items
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.opening import state_axis
from benchproof.models import CONTROL_NAMES, ControlModel
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun
from benchproof.records.score_sheet import SheetNumber
from benchproof.results import show_value
from benchproof.rulebook import Finding, Severity
from benchproof.scores import compute_score_sheet, score_items

FAMILY_LEVEL = 0.95
WHOLE = "all"


@dataclass(frozen=True, slots=True)
class Floor:
    """What one control scores on one axis in one language.

    ``number`` is a score sheet's, with interval, chance and denominator; ``solved`` are the items that it got right.
    """

    axis_key: str
    control: str
    number: SheetNumber
    solved: tuple[str, ...]


class ControlEvidence:
    """The answers of one control, in the shape that scorers read of a sealed run (``scores.Evidence``)."""

    def __init__(self, compiled: CompiledBench, control: str, *, seed: int) -> None:
        self.id = f"control:{control}"
        self.sha256 = "0" * 64
        self.axis_keys = tuple(compiled.axes)
        self._compiled = compiled
        self._records = {key: _answer_all(compiled, key, ControlModel(control, seed=seed)) for key in compiled.axes}

    def axis(self, axis_key: str, /) -> ResolvedAxis:
        """The axis as compiled."""
        return self._compiled.axes[axis_key]

    def axis_of_run(self, axis_key: str, /) -> AxisOfRun:
        """What a manifest would state of the axis."""
        info = ControlModel("empty").info()
        selection = self._compiled.selections[axis_key]
        return state_axis(self.axis(axis_key), self._compiled.items[axis_key], info, selection=selection)

    def items(self, axis_key: str, /) -> Iterator[CompiledItem]:
        """The items as compiled."""
        return iter(self._compiled.items[axis_key])

    def records(self, axis_key: str, /) -> Iterator[tuple[Any, Any]]:
        """The records that a run would have sealed."""
        return ((None, record) for record in self._records[axis_key])


def ask_controls(compiled: CompiledBench, *, seed: int = 0) -> dict[str, ControlEvidence]:
    """Every control's answers to every item, by the control's name."""
    return {control: ControlEvidence(compiled, control, seed=seed) for control in CONTROL_NAMES}


def measure_floors(evidences: Mapping[str, ControlEvidence]) -> list[Floor]:
    """The floor of every control on every axis and language, by axis key and control."""
    floors = []
    for control, evidence in evidences.items():
        numbers = _list_whole_numbers(evidence)
        for axis_key in evidence.axis_keys:
            solved = tuple(item.item_id for item in score_items(evidence, axis_key) if item.score == 1)
            floors.append(Floor(axis_key, control, numbers[axis_key], solved))
    return sorted(floors, key=lambda floor: (floor.axis_key, floor.control))


def find_solved_by_all(floors: Sequence[Floor]) -> dict[str, tuple[str, ...]]:
    """Axis key → items that every control got right."""
    solved: dict[str, set[str]] = {}
    for floor in floors:
        solved.setdefault(floor.axis_key, set(floor.solved)).intersection_update(floor.solved)
    return {axis_key: tuple(sorted(items)) for axis_key, items in sorted(solved.items())}


def b047_control_above_chance(
    floors: Sequence[Floor], evidences: Mapping[str, ControlEvidence], places: Mapping[str, str]
) -> list[Finding]:
    """B047: no control scores above chance on a choice axis.

    The intervals of all controls and choice axes together are wrong about an unbiased bench in 5 % of cases at most.
    """
    tested = [floor for floor in floors if floor.number["chance"] is not None]
    if not tested:
        return []
    level = 1 - 2 * (1 - FAMILY_LEVEL) / len(tested)
    numbers = {control: _list_whole_numbers(evidence, level) for control, evidence in evidences.items()}
    findings = []
    for floor in tested:
        chance, interval = floor.number["chance"], numbers[floor.control][floor.axis_key]["interval"]
        if chance is not None and interval is not None and interval[0] > chance:
            what = f"control:{floor.control} scores above chance on {floor.axis_key}"
            value, least, about = (
                show_value(each, "fraction") for each in (floor.number["value"], interval[0], chance)
            )
            place = places[floor.axis_key]
            findings.append(
                Finding(place, "B047", what, f"{value}, at least {least}", f"about {about}", severity=Severity.WARNING)
            )
    return findings


def b048_answer_for_free(floors: Sequence[Floor], compiled: CompiledBench, places: Mapping[str, str]) -> list[Finding]:
    """B048: no control gives a right short answer; ``places`` maps an item id to its line."""
    free: dict[str, list[str]] = {}
    for floor in floors:
        if compiled.axes[floor.axis_key]["type"] == "short-answer":
            for item_id in floor.solved:
                free.setdefault(f"{floor.axis_key} {item_id}", []).append(f"control:{floor.control}")
    return [
        Finding(
            places[key],
            "B048",
            f"the item {key.partition(' ')[2]!r} is answered right by {', '.join(controls)}",
            severity=Severity.WARNING,
        )
        for key, controls in sorted(free.items())
    ]


def _list_whole_numbers(evidence: ControlEvidence, level: float = 0.95) -> dict[str, SheetNumber]:
    numbers = compute_score_sheet(evidence, level=level)["numbers"]
    return {f"{number['axis']}.{number['language']}": number for number in numbers if number["slice"] == WHOLE}


def _answer_all(compiled: CompiledBench, axis_key: str, model: ControlModel) -> list[Any]:
    axis = compiled.axes[axis_key]
    asked = [item for item in compiled.items[axis_key] if not item["excluded"]]
    records = []
    for item in asked:
        (line,) = ask_items(model, axis, [item], seed=compiled.seed)
        records.append(make_record(axis, item, line))
    return records
