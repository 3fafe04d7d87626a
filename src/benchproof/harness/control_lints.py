"""What models that know nothing score on a bench: its floors (contract-bench §2, ``check``).

Everything happens in memory: each control is asked every item, records are made as in a run, and the scorers of
sealed runs give the numbers. An item is read once; of each answer its score is kept, in 12 bytes.
"""

from array import array
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from benchproof.archive import IdTable, make_record
from benchproof.harness.calls import ask_items
from benchproof.harness.compiling import CompiledBench
from benchproof.models import CONTROL_NAMES, ControlModel
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.score_sheet import SheetNumber
from benchproof.results import show_value
from benchproof.rulebook import Finding, Severity
from benchproof.scores import (
    AxisClusters,
    AxisItems,
    ScoreColumns,
    build_whole_number,
    find_axis_scorer,
    name_clusters,
    plan_facts,
    score_record,
)

FAMILY_LEVEL = 0.95
NO_RUN = "0" * 64

PlaceItems = Callable[[str, Container[str]], Mapping[str, str]]
"""Axis key and item ids → the place of each of them."""


class ItemIds(Sequence[str]):
    """Some ids of a table, in an order of their own: 4 bytes an id. Equal to any sequence of the same ids."""

    def __init__(self, ids: IdTable, numbers: "array[int]") -> None:
        self.ids = ids
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return map(self.ids.text_of, self.numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "ItemIds": ...
    def __getitem__(self, index: int | slice) -> "str | ItemIds":
        if isinstance(index, slice):
            return ItemIds(self.ids, self.numbers[index])
        return self.ids.text_of(self.numbers[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Floor:
    """What one control scores on one axis in one language.

    ``number`` is a score sheet's, with interval, chance and denominator; ``solved`` are the items that it got right,
    by id.
    """

    axis_key: str
    control: str
    number: SheetNumber
    solved: ItemIds


class ControlScores:
    """The scores of every control on one axis and language."""

    def __init__(self, axis: ResolvedAxis, planned: AxisItems) -> None:
        self._axis = axis
        self._scorer = find_axis_scorer(axis)
        self._planned = planned
        self._columns = {control: ScoreColumns(planned) for control in CONTROL_NAMES}

    def ask(self, item: CompiledItem, models: Mapping[str, ControlModel], *, seed: int) -> None:
        """Ask every control one item, and keep what it scores."""
        facts = plan_facts(item)
        self._planned.add(item["item_id"], name_clusters(item))
        for control, columns in self._columns.items():
            if facts.outcome == "excluded":
                columns.add(facts)
                continue
            (line,) = ask_items(models[control], self._axis, [item], seed=seed)
            record: Any = make_record(self._axis, item, line)
            place = f"control:{control} {self._axis['axis']}.{self._axis['language']}"
            columns.add(*score_record(facts, item, record, self._scorer, place=place))

    def sort(self) -> None:
        """Put the items into the order of their ids, when all are there."""
        order = array("I", self._planned.ids.sort_numbers())
        for columns in self._columns.values():
            columns.sort(order)

    def measure(self, control: str, level: float = 0.95) -> SheetNumber:
        """What a control scores, as a sheet states it."""
        return build_whole_number(NO_RUN, self._axis, self._columns[control], level=level)

    def list_solved(self, control: str) -> ItemIds:
        """The items that a control got right."""
        columns = self._columns[control]
        scored = columns.find_scored()
        right = (number for number, score in zip(scored, columns.scores_of(scored), strict=True) if score == 1)
        return ItemIds(self._planned.ids, array("I", right))


def ask_controls(
    compiled: CompiledBench, *, seed: int = 0, progress: Callable[[int, int], None] = lambda _done, _planned: None
) -> dict[str, ControlScores]:
    """The scores of all controls, by axis key. Clusters are of all languages of an axis together.

    ``progress`` is told how many of how many items every control was asked.
    """
    planned, done = sum(map(len, compiled.items.values())), 0
    models = {control: ControlModel(control, seed=seed) for control in CONTROL_NAMES}
    clusters: dict[str, AxisClusters] = {}
    asked = {}
    for axis_key, axis in compiled.axes.items():
        scores = ControlScores(axis, AxisItems(clusters.setdefault(axis["axis"], AxisClusters())))
        for item in compiled.items[axis_key]:
            scores.ask(item, models, seed=compiled.seed)
            done += 1
            progress(done, planned)
        scores.sort()
        asked[axis_key] = scores
    return asked


def measure_floors(asked: Mapping[str, ControlScores]) -> list[Floor]:
    """The floor of every control on every axis and language, by axis key and control."""
    return [
        Floor(axis_key, control, scores.measure(control), scores.list_solved(control))
        for axis_key, scores in sorted(asked.items())
        for control in CONTROL_NAMES
    ]


def find_solved_by_all(floors: Sequence[Floor]) -> dict[str, ItemIds]:
    """Axis key → items that every control got right."""
    by_axis: dict[str, list[ItemIds]] = {}
    for floor in floors:
        by_axis.setdefault(floor.axis_key, []).append(floor.solved)
    return {axis_key: _intersect(solved) for axis_key, solved in sorted(by_axis.items())}


def _intersect(solved: Sequence[ItemIds]) -> ItemIds:
    """The ids that all have; they are of one table."""
    hits = bytearray(len(solved[0].ids))
    for each in solved:
        for number in each.numbers:
            hits[number] += 1
    return ItemIds(solved[0].ids, array("I", (number for number in solved[0].numbers if hits[number] == len(solved))))


def b047_control_above_chance(
    floors: Sequence[Floor], asked: Mapping[str, ControlScores], places: Mapping[str, str]
) -> list[Finding]:
    """B047: no control scores above chance on a choice axis.

    The intervals of all controls and choice axes together are wrong about an unbiased bench in 5 % of cases at most.
    """
    tested = [floor for floor in floors if floor.number["chance"] is not None]
    if not tested:
        return []
    level = 1 - 2 * (1 - FAMILY_LEVEL) / len(tested)
    findings = []
    for floor in tested:
        chance, interval = floor.number["chance"], asked[floor.axis_key].measure(floor.control, level)["interval"]
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


def b048_answer_for_free(floors: Sequence[Floor], compiled: CompiledBench, place_items: PlaceItems) -> list[Finding]:
    """B048: no control gives a right short answer; ``place_items`` gives the lines of some items of an axis."""
    free: dict[str, dict[str, list[str]]] = {}
    for floor in floors:
        if compiled.axes[floor.axis_key]["type"] == "short-answer" and floor.solved:
            of_axis = free.setdefault(floor.axis_key, {})
            for item_id in floor.solved:
                of_axis.setdefault(item_id, []).append(f"control:{floor.control}")
    places = {axis_key: place_items(axis_key, of_axis) for axis_key, of_axis in free.items()}
    return [
        Finding(
            places[axis_key][item_id],
            "B048",
            f"the item {item_id!r} is answered right by {', '.join(controls)}",
            severity=Severity.WARNING,
        )
        for axis_key, of_axis in sorted(free.items())
        for item_id, controls in sorted(of_axis.items())
    ]
