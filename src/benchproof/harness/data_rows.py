"""The rows of a data file, read again from the disk each time: memory does not grow with their text.

Laws kept: what is read later is what was read first; a file that changes meanwhile is refused, never mixed. A row costs
24 bytes of memory: its line, where it stands, how long it is, and a short digest of its bytes.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar, overload

from benchproof.canon import parse
from benchproof.harness.errors import HarnessError

_Built = TypeVar("_Built")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a data file, or one solved example of a configuration, which has no ``line``."""

    file: str
    line: int | None
    values: dict[str, Any]

    @property
    def place(self) -> str:
        """Where it stands, as ``data/questions.ndjson:12``."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class DataRows(Sequence[Row]):
    """Rows of one file of JSON lines, in its order."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lines = array("I")
        self._offsets = array("Q")
        self._lengths = array("I")
        self._digests = array("Q")

    def add(self, number: int, offset: int, line: bytes) -> None:
        """Know of one more row: line ``number``, whose bytes without the line feed begin at ``offset``."""
        self._lines.append(number)
        self._offsets.append(offset)
        self._lengths.append(len(line))
        self._digests.append(_shorten_digest(line))

    def pick(self, indexes: Iterable[int]) -> Iterator[Row]:
        """These rows, in the order asked for; ``HarnessError`` where one is no longer what it was."""
        with _opened(self.file) as stream:
            for index in indexes:
                stream.seek(self._offsets[index])
                line = stream.read(self._lengths[index])
                if _shorten_digest(line) != self._digests[index]:
                    raise _changed(f"{self.file}:{self._lines[index]}")
                yield Row(str(self.file), self._lines[index], parse(line))

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[Row]:
        return self.pick(range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        chosen = range(len(self))[index]
        return next(self.pick([chosen])) if isinstance(chosen, int) else list(self.pick(chosen))


class BuiltRows(Sequence[_Built], Generic[_Built]):
    """Some rows of a file, each made into something else whenever it is asked for."""

    def __init__(self, rows: DataRows, build: Callable[[Row], _Built], indexes: Sequence[int]) -> None:
        self._rows = rows
        self._build = build
        self._indexes = indexes

    def select(self, is_kept: Callable[[_Built], bool]) -> "BuiltRows[_Built]":
        """Those that are kept, in the same order."""
        kept = array("Q", (index for index, each in zip(self._indexes, self, strict=True) if is_kept(each)))
        return BuiltRows(self._rows, self._build, self._indexes if len(kept) == len(self) else kept)

    def arrange(self, order: Iterable[int]) -> "BuiltRows[_Built]":
        """The same in another order: element ``i`` is the old element ``order[i]``."""
        return BuiltRows(self._rows, self._build, array("Q", (self._indexes[index] for index in order)))

    def placed(self) -> Iterator[tuple[str, _Built]]:
        """Each with the place of its row."""
        return ((row.place, self._build(row)) for row in self._rows.pick(self._indexes))

    def __len__(self) -> int:
        return len(self._indexes)

    def __iter__(self) -> Iterator[_Built]:
        return map(self._build, self._rows.pick(self._indexes))

    @overload
    def __getitem__(self, index: int) -> _Built: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Built]: ...
    def __getitem__(self, index: int | slice) -> _Built | Sequence[_Built]:
        if isinstance(index, slice):
            return BuiltRows(self._rows, self._build, self._indexes[index])
        return self._build(self._rows[self._indexes[index]])


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    try:
        with file.open("rb") as stream:
            yield stream
    except OSError as error:
        raise HarnessError(
            "a data file can no longer be read", place=str(file), got=error.strerror, hint="Run the command again."
        ) from error


def _shorten_digest(line: bytes) -> int:
    """64 bits that tell whether a line is still what it was."""
    return int.from_bytes(hashlib.blake2b(line, digest_size=8).digest())


def _changed(place: str) -> HarnessError:
    return HarnessError(
        "a data file changed while it was in use",
        place=place,
        expected="the line that was checked when the bench was read",
        hint="Run the command again.",
    )
