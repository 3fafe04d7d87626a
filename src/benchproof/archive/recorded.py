"""What an axis has recorded so far: items, their outcomes, and where their entries stand, in little memory."""

from array import array
from collections import Counter
from collections.abc import Iterator, Set
from typing import NamedTuple

from benchproof.archive.id_table import IdTable
from benchproof.records.run import Outcome

EntryKey = tuple[str, str]
"""Axis key and item id."""


class RecordedItems:
    """The outcome of each recorded item of one axis: about 16 bytes an item beside its id."""

    def __init__(self) -> None:
        self.ids = IdTable()
        self._outcomes = array("I")
        self._names: list[Outcome] = []

    def record(self, item_id: str, outcome: Outcome) -> bool:
        """Note an item's outcome, in the place of an earlier one; whether the item is new."""
        if outcome not in self._names:
            self._names.append(outcome)
        code = self._names.index(outcome)
        number = self.ids.enter(item_id)
        if number == len(self._outcomes):
            self._outcomes.append(code)
            return True
        self._outcomes[number] = code
        return False

    def outcome_of(self, number: int) -> Outcome:
        """The outcome of the item with that number."""
        return self._names[self._outcomes[number]]

    def count_outcomes(self) -> dict[str, int]:
        """How many items came out how, in the order in which the outcomes were met."""
        return dict(Counter[str](map(self.outcome_of, range(len(self)))))

    def __contains__(self, item_id: object) -> bool:
        return item_id in self.ids

    def __len__(self) -> int:
        return len(self.ids)


class EntrySpan(NamedTuple):
    """Where an entry stands in the journal, and the facts that sealing asks of all entries at once."""

    offset: int
    length: int
    outcome: Outcome
    is_timed: bool


class JournalIndex(Set[EntryKey]):
    """The entries of a journal by axis key and item id: about 29 bytes an entry beside its item id."""

    def __init__(self) -> None:
        self._axes: dict[str, _AxisEntries] = {}

    def add(self, key: EntryKey, span: EntrySpan) -> None:
        """Note an entry; the first of an item counts."""
        axis_key, item_id = key
        if axis_key not in self._axes:
            self._axes[axis_key] = _AxisEntries()
        self._axes[axis_key].add(item_id, span)

    def find(self, key: EntryKey) -> EntrySpan:
        """The entry of a key; ``KeyError`` where there is none."""
        entries = self._axes[key[0]]
        number = entries.recorded.ids.number_of(key[1])
        if number is None:
            raise KeyError(key)
        return entries.span_of(number)

    @property
    def axis_keys(self) -> list[str]:
        """Keys of the axes that have entries, in order."""
        return sorted(self._axes)

    def recorded(self, axis_key: str) -> RecordedItems:
        """What was recorded of an axis, in the order of the journal."""
        return self._axes[axis_key].recorded if axis_key in self._axes else RecordedItems()

    def sort_keys(self, axis_key: str, *, is_timed: bool = False) -> Iterator[EntryKey]:
        """Keys of one axis, by item id in code-point order; only of timed entries where asked for."""
        if axis_key in self._axes:
            entries = self._axes[axis_key]
            for number in entries.recorded.ids.sort_numbers():
                if not is_timed or entries.span_of(number).is_timed:
                    yield axis_key, entries.recorded.ids.text_of(number)

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, tuple) or len(key) != 2:
            return False
        entries = self._axes.get(key[0])
        return entries is not None and key[1] in entries.recorded.ids

    def __iter__(self) -> Iterator[EntryKey]:
        return ((axis_key, item_id) for axis_key, each in self._axes.items() for item_id in each.recorded.ids)

    def __len__(self) -> int:
        return sum(len(each.recorded) for each in self._axes.values())


class _AxisEntries:
    """The entries of one axis."""

    def __init__(self) -> None:
        self.recorded = RecordedItems()
        self._offsets = array("Q")
        self._lengths = array("I")
        self._are_timed = bytearray()

    def add(self, item_id: str, span: EntrySpan) -> None:
        if item_id in self.recorded:
            return
        self.recorded.record(item_id, span.outcome)
        self._offsets.append(span.offset)
        self._lengths.append(span.length)
        self._are_timed.append(span.is_timed)

    def span_of(self, number: int) -> EntrySpan:
        is_timed = bool(self._are_timed[number])
        return EntrySpan(self._offsets[number], self._lengths[number], self.recorded.outcome_of(number), is_timed)
