"""Many ids in little memory: each has a number, and is found again by its text."""

from array import array
from collections.abc import Iterable, Iterator, Set
from heapq import merge

_FEWEST_SLOTS = 8
_SORTED_AT_ONCE = 1024


class IdTable(Set[str]):
    """Ids with their numbers, from 0 in the order in which they came: about 12 bytes an id beside its UTF-8 text.

    The texts stand one behind another; ``_slots`` is an open hash table of their numbers, one higher, 0 where it is
    free, at most four fifths full. An id is found by comparing its text, so no two are ever taken for one another.
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._texts = bytearray()
        self._ends = array("I")
        self._slots = array("I", [0]) * _FEWEST_SLOTS
        for each in ids:
            self.add(each)

    def add(self, text: str) -> bool:
        """Give an id its number; whether it is new, as one that is there keeps the number that it has."""
        count = len(self._ends)
        return self.enter(text) == count

    def enter(self, text: str) -> int:
        """The number of an id, which is given one where it is new."""
        data = text.encode()
        slot = self._find_slot(data)
        if taken := self._slots[slot]:
            return taken - 1
        self._texts += data
        self._ends.append(len(self._texts))
        count = len(self._ends)
        self._slots[slot] = count
        if 5 * count > 4 * len(self._slots):
            self._widen()
        return count - 1

    def number_of(self, text: str) -> int | None:
        """The number of an id; ``None`` where it is not here."""
        taken = self._slots[self._find_slot(text.encode())]
        return taken - 1 if taken else None

    def text_of(self, number: int) -> str:
        """The id of a number."""
        return self._data(number).decode()

    def sort_numbers(self) -> Iterator[int]:
        """The numbers by the code points of their ids, which is the order of their UTF-8 bytes."""
        parts = (range(len(self))[start : start + _SORTED_AT_ONCE] for start in range(0, len(self), _SORTED_AT_ONCE))
        return merge(*(array("I", sorted(part, key=self._data)) for part in parts), key=self._data)

    def sort_texts(self) -> Iterator[str]:
        """The ids by their code points."""
        return map(self.text_of, self.sort_numbers())

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self._slots[self._find_slot(text.encode())] > 0

    def __iter__(self) -> Iterator[str]:
        return map(self.text_of, range(len(self)))

    def __len__(self) -> int:
        return len(self._ends)

    def _data(self, number: int) -> bytes:
        return bytes(self._texts[self._ends[number - 1] if number else 0 : self._ends[number]])

    def _find_slot(self, data: bytes) -> int:
        """The slot of an id, or the free one that it would take."""
        slots, ends, texts = self._slots, self._ends, self._texts
        last = len(slots) - 1
        slot = hash(data) & last
        while taken := slots[slot]:
            if texts[ends[taken - 2] if taken > 1 else 0 : ends[taken - 1]] == data:
                break
            slot = (slot + 1) & last
        return slot

    def _widen(self) -> None:
        """Twice the slots. No two ids are alike, so that each takes the next free one."""
        last = 2 * len(self._slots) - 1
        self._slots = slots = array("I", [0]) * (last + 1)
        for number in range(len(self)):
            slot = hash(self._data(number)) & last
            while slots[slot]:
                slot = (slot + 1) & last
            slots[slot] = number + 1
