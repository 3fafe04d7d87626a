"""NDJSON streams, a line at a time in flat memory."""

from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

from benchproof.canon.errors import StrictJsonError
from benchproof.canon.profile import DEFAULT_MAX_DEPTH, MAX_LINE_BYTES, Profile
from benchproof.canon.reading import parse_at
from benchproof.canon.refusals import j010_too_large


class LineSource(Protocol):
    """The part of a binary stream that is needed here."""

    def readline(self, size: int = -1, /) -> bytes:
        """Read up to the end of the line or ``size`` bytes."""
        ...


def split_lines(
    stream: BinaryIO | LineSource, *, place: str | None = None, max_line_bytes: int = MAX_LINE_BYTES
) -> Iterator[tuple[int, int, bytes]]:
    """Yield line number (from 1), byte offset and raw bytes without the line feed of every line.

    A last line without a line feed is yielded too: its offset and length reach the end of the stream exactly. What the
    stream itself raises is the caller's to handle.

    Raises:
        StrictJsonError: A line is longer than the limit (J010).
    """
    number, offset = 0, 0
    while read := stream.readline(max_line_bytes + 1):
        number += 1
        line = read.removesuffix(b"\n")
        refusal = j010_too_large(len(line), max_line_bytes, "line")
        if refusal is not None:
            raise StrictJsonError(refusal, source=place, line=number, column=1, offset=offset, pointer="")
        yield number, offset, line
        offset += len(read)


def parse_lines(
    stream: BinaryIO | LineSource,
    *,
    place: str | None = None,
    profile: Profile = "strict",
    max_depth: int = DEFAULT_MAX_DEPTH,
    max_line_bytes: int = MAX_LINE_BYTES,
) -> Iterator[tuple[int, int, bytes, Any]]:
    """Yield line number (from 1), byte offset, raw bytes without the line feed, and value of every line.

    Raises:
        StrictJsonError: A line is not strict JSON (an empty one neither), with line and byte offset of the stream.
    """
    for number, offset, line in split_lines(stream, place=place, max_line_bytes=max_line_bytes):
        value = parse_line(line, number=number, offset=offset, place=place, profile=profile, max_depth=max_depth)
        yield number, offset, line, value


def parse_line(
    line: bytes,
    *,
    number: int,
    offset: int,
    place: str | None = None,
    profile: Profile = "strict",
    max_depth: int = DEFAULT_MAX_DEPTH,
) -> Any:
    """Read one line of ``split_lines``; so a caller can go on after a line that is refused.

    Raises:
        StrictJsonError: The line is not strict JSON, with line and byte offset of the stream.
    """
    return parse_at(
        line,
        profile=profile,
        max_depth=max_depth,
        source=place,
        first_line=number,
        first_offset=offset,
    )
