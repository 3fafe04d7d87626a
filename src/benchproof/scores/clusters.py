"""What hangs together on an axis, over all of its languages, by numbers of names rather than by names."""

from array import array
from collections.abc import Sequence

from benchproof.archive import IdTable


class AxisClusters:
    """A union-find over names, about 20 bytes a name beside its text.

    A component is called by its smallest name, as in ``measure.ClusterBook``, so that it does not depend on the order
    of the items.
    """

    def __init__(self) -> None:
        self._names = IdTable()
        self._parents = array("I")

    def join(self, names: Sequence[str]) -> int:
        """Put all ``names`` into one component; the number of the first, by which it is found later."""
        numbers = [self._number(name) for name in names]
        first = self.find(numbers[0])
        for number in numbers[1:]:
            other = self.find(number)
            first, last = sorted((first, other), key=self._names.text_of)
            self._parents[last] = first
        return numbers[0]

    def find(self, number: int) -> int:
        """The number of the smallest name of the component that a name is in."""
        root = number
        while root != self._parents[root]:
            root = self._parents[root]
        while self._parents[number] != root:
            self._parents[number], number = root, self._parents[number]
        return root

    def name_of(self, number: int) -> str:
        """The name of a number."""
        return self._names.text_of(number)

    def _number(self, name: str) -> int:
        if self._names.add(name):
            self._parents.append(len(self._parents))
        number = self._names.number_of(name)
        assert number is not None
        return number
