"""Lines that hold some bytes, found without taking the others apart (performance, P13)."""

from collections.abc import Iterator
from typing import Protocol

from benchproof.canon.errors import StrictJsonError
from benchproof.canon.profile import MAX_LINE_BYTES
from benchproof.canon.refusals import j010_too_large

_CHUNK = 1 << 20


class ByteSource(Protocol):
    """The part of a binary stream that is needed here."""

    def read(self, size: int = -1, /) -> bytes:
        """Read up to ``size`` bytes."""
        ...


def search_lines(stream: ByteSource, needle: bytes, *, place: str | None = None) -> Iterator[tuple[int, int, bytes]]:
    """Yield number (from 1), byte offset and raw bytes without the line feed of every line with ``needle`` in it.

    The stream is read to its end; memory is a chunk and the longest line. ``needle`` holds no line feed.

    Raises:
        StrictJsonError: A line does not end within the limit of a line (J010).
    """
    number, offset, waiting = 1, 0, b""
    while chunk := stream.read(_CHUNK):
        waiting += chunk
        end = waiting.rfind(b"\n") + 1
        block, waiting = waiting[:end], waiting[end:]
        yield from _search_block(block, needle, number, offset)
        number += block.count(b"\n")
        offset += len(block)
        refusal = j010_too_large(len(waiting), MAX_LINE_BYTES, "line")
        if refusal is not None:
            raise StrictJsonError(refusal, source=place, line=number, column=1, offset=offset, pointer="")
    yield from _search_block(waiting, needle, number, offset)


def _search_block(block: bytes, needle: bytes, number: int, offset: int) -> Iterator[tuple[int, int, bytes]]:
    found = block.find(needle)
    while found >= 0:
        start = block.rfind(b"\n", 0, found) + 1
        end = block.find(b"\n", found)
        end = len(block) if end < 0 else end
        yield number + block.count(b"\n", 0, start), offset + start, block[start:end]
        found = block.find(needle, end)
