"""Compiled items on disk, reached by id through an index of offsets, so that memory does not grow with their text."""

from array import array
from collections.abc import Iterator
from typing import BinaryIO, Self, cast

from benchproof.archive.errors import DamagedError
from benchproof.archive.id_table import IdTable
from benchproof.archive.schemas import has_shape
from benchproof.canon import CanonError, parse, parse_lines
from benchproof.records.bench import CompiledItem


class ItemFile:
    """One axis's items as run; the stream belongs to this object until ``close``.

    An item costs about 24 bytes of memory beside its id.

    ``excluded`` holds the items that the bench itself leaves out, and why.
    """

    def __init__(self, stream: BinaryIO, place: str) -> None:
        self._stream = stream
        self._place = place
        self._ids = IdTable()
        self._offsets = array("Q")
        self._lengths = array("I")
        self.excluded: dict[str, str] = {}

    @classmethod
    def read_index(cls, stream: BinaryIO, place: str) -> Self:
        """Index a whole file; ``DamagedError`` where a line is no item, or an id stands twice."""
        items = cls(stream, place)
        stream.seek(0)
        try:
            for number, offset, line, item in parse_lines(stream, place=place):
                if not has_shape("compiled-item", item):
                    raise DamagedError("a line is no compiled item", place=f"{place}:{number}")
                if not items.add(cast("CompiledItem", item), offset, len(line)):
                    raise DamagedError("an item id stands twice", place=f"{place}:{number}", got=repr(item["item_id"]))
        except CanonError as error:
            raise DamagedError(error.what, place=error.place, got=error.got, expected=error.expected) from error
        return items

    def add(self, item: CompiledItem, offset: int, length: int) -> bool:
        """Put one item of the file into the index, unless its id is there already; whether it was new."""
        if not self._ids.add(item["item_id"]):
            return False
        self._offsets.append(offset)
        self._lengths.append(length)
        if item.get("excluded"):
            self.excluded[item["item_id"]] = item.get("exclusion_reason") or "excluded"
        return True

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, item_id: object) -> bool:
        return item_id in self._ids

    def __iter__(self) -> Iterator[CompiledItem]:
        return map(self._read, range(len(self)))

    @property
    def ids(self) -> IdTable:
        """Item ids in the order of the file."""
        return self._ids

    def find(self, item_id: str) -> CompiledItem:
        """The item of that id; ``KeyError`` where there is none."""
        number = self._ids.number_of(item_id)
        if number is None:
            raise KeyError(item_id)
        return self._read(number)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _read(self, number: int) -> CompiledItem:
        self._stream.seek(self._offsets[number])
        return cast("CompiledItem", parse(self._stream.read(self._lengths[number]), place=self._place))
