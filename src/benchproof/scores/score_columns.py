"""Scores of many items in little memory: columns of numbers; an ``ItemScore`` is made when it is looked at."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self, overload

from benchproof.archive import IdTable
from benchproof.scores.clusters import AxisClusters

ItemOutcome = Literal["scored", "unparsed", "errored", "truncated", "excluded", "unasked", "unscored"]
"""``unasked``: planned, but the run ended before it. ``unscored``: answered, but the scorer is not at hand."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """One item's score, ``None`` unless its outcome is ``scored``.

    ``choices`` is the number to choose from (choice axes). ``capped``: the answer ran into the token limit.
    """

    item_id: str
    score: float | None
    outcome: ItemOutcome
    cluster: str
    register: str | None
    choices: int | None = None
    tie: bool = False
    empty: bool = False
    capped: bool = False


class ScoreFacts(NamedTuple):
    """What many items have in common: everything of an ``ItemScore`` but its id, score and cluster."""

    outcome: ItemOutcome
    register: str | None
    choices: int | None = None
    tie: bool = False
    empty: bool = False
    capped: bool = False


class AxisItems:
    """The planned items of one axis and language, whatever is answered: ids, and what each hangs together with.

    About 20 bytes an item beside its id. Several ``ScoreColumns`` may be of the same items.
    """

    def __init__(self, clusters: AxisClusters) -> None:
        self.ids = IdTable()
        self._clusters = clusters
        self._anchors = array("I")

    def add(self, item_id: str, names: Sequence[str]) -> bool:
        """One more item with the names of its clusters; whether it is new."""
        anchor = self._clusters.join(names)
        is_new = self.ids.add(item_id)
        if is_new:
            self._anchors.append(anchor)
        return is_new

    def cluster_of(self, number: int) -> int:
        """The number of the cluster that an item is in, when all items of the axis are there."""
        return self._clusters.find(self._anchors[number])

    def cluster_name_of(self, number: int) -> str:
        """The name of the cluster that an item is in."""
        return self._clusters.name_of(self.cluster_of(number))

    def __len__(self) -> int:
        return len(self.ids)


class ScoreColumns(Sequence[ItemScore]):
    """The scores of planned items, by item id: 12 bytes an item, and 4 for their order.

    ``sort`` comes when all items are there; until then they stand in no order.
    """

    def __init__(self, planned: AxisItems, order: Sequence[int] = ()) -> None:
        self.planned = planned
        self._order = order
        self._scores = array("d")
        self._codes = array("I")
        self._facts: list[ScoreFacts] = []
        self._code_of: dict[ScoreFacts, int] = {}

    @classmethod
    def gather(cls, items: Iterable[ItemScore]) -> "ScoreColumns":
        """Columns of scores that somebody has one by one, in their order; each id once."""
        planned = AxisItems(AxisClusters())
        columns = cls(planned)
        for item in items:
            planned.add(item.item_id, [item.cluster])
            facts = ScoreFacts(item.outcome, item.register, item.choices, item.tie, item.empty, item.capped)
            columns.add(facts, item.score)
        columns._order = range(len(planned))
        return columns

    def add(self, facts: ScoreFacts, score: float | None = None) -> None:
        """The facts of the planned item that came last."""
        self._codes.append(self._code(facts))
        self._scores.append(score or 0.0)

    def settle(self, number: int, facts: ScoreFacts, score: float | None = None) -> None:
        """Say what became of the planned item with that number."""
        self._codes[number] = self._code(facts)
        self._scores[number] = score or 0.0

    def sort(self, order: Sequence[int] | None = None) -> Self:
        """Put the items into the order of their ids; ``order`` where that is known."""
        self._order = array("I", self.planned.ids.sort_numbers()) if order is None else order
        return self

    @property
    def order(self) -> Sequence[int]:
        """The numbers of the items in their order."""
        return self._order

    def select(self, is_kept: Callable[[ScoreFacts], bool]) -> "ScoreColumns":
        """The items of some facts, in the same order."""
        kept = [is_kept(facts) for facts in self._facts]
        selected = ScoreColumns(self.planned, array("I", (n for n in self._order if kept[self._codes[n]])))
        selected._scores, selected._codes = self._scores, self._codes
        selected._facts, selected._code_of = self._facts, self._code_of
        return selected

    def facts_of(self, number: int) -> ScoreFacts:
        """The facts of the item with that number."""
        return self._facts[self._codes[number]]

    def count_facts(self) -> Counter[ScoreFacts]:
        """How many items have which facts."""
        counts = Counter(self._codes[number] for number in self._order)
        return Counter({self._facts[code]: count for code, count in counts.items()})

    def find_scored(self) -> "array[int]":
        """The numbers of the items that have a score, in their order."""
        is_scored = [facts.outcome == "scored" for facts in self._facts]
        return array("I", (number for number in self._order if is_scored[self._codes[number]]))

    def scores_of(self, numbers: Iterable[int]) -> "array[float]":
        """The scores of items that have one."""
        return array("d", (self._scores[number] for number in numbers))

    def clusters_of(self, numbers: Iterable[int]) -> "array[int]":
        """The number of the cluster that each item is in."""
        return array("I", map(self.planned.cluster_of, numbers))

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[ItemScore]:
        return map(self._make, self._order)

    @overload
    def __getitem__(self, index: int) -> ItemScore: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ItemScore]: ...
    def __getitem__(self, index: int | slice) -> ItemScore | Sequence[ItemScore]:
        chosen = self._order[index]
        return self._make(chosen) if isinstance(chosen, int) else [self._make(number) for number in chosen]

    def _make(self, number: int) -> ItemScore:
        facts = self.facts_of(number)
        return ItemScore(
            self.planned.ids.text_of(number),
            self._scores[number] if facts.outcome == "scored" else None,
            facts.outcome,
            self.planned.cluster_name_of(number),
            *facts[1:],
        )

    def _code(self, facts: ScoreFacts) -> int:
        code = self._code_of.setdefault(facts, len(self._facts))
        if code == len(self._facts):
            self._facts.append(facts)
        return code
