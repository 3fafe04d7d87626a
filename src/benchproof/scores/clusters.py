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
        anchor = self._number(names[0])
        for name in names[1:]:
            first, other = self.find(anchor), self.find(self._number(name))
            first, last = sorted((first, other), key=self._names.text_of)
            self._parents[last] = first
        return anchor

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
        number = self._names.enter(name)
        if number == len(self._parents):
            self._parents.append(number)
        return number
