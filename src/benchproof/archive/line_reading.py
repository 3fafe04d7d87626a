"""Lines of a sealed file, compared with what the manifest states of it (contract-archive §2)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from benchproof.archive.errors import DamagedError
from benchproof.archive.filesystem import storage_errors
from benchproof.archive.schemas import find_misfits
from benchproof.canon import (
    CanonError,
    DigestingReader,
    canonical,
    parse_line,
    parse_lines,
    search_lines,
    sha256_hex,
)
from benchproof.records.run import FileEntry


class Line(NamedTuple):
    """Where a line stands in its file; ``sha256`` is of its bytes without the line feed."""

    number: int
    offset: int
    length: int
    sha256: str


LineAndValue = tuple[Line, dict[str, Any]]


def read_sealed_lines(stream: BinaryIO, entry: FileEntry, schema: str, place: str) -> Iterator[LineAndValue]:
    """Every line; the digest is compared when the last one was given."""
    reader = DigestingReader(stream)
    with damage_told(), storage_errors(place):
        for number, offset, line, value in parse_lines(reader, place=place):
            require_shape(schema, value, f"{place}:{number}")
            yield Line(number, offset, len(line), sha256_hex(line)), value
    compare_bytes(entry, reader.hexdigest(), reader.size, place)


def find_sealed_line(stream: BinaryIO, entry: FileEntry, schema: str, item_id: str, place: str) -> LineAndValue | None:
    """The line of an item; no other line is taken apart, and the digest is compared first.

    ``None`` where no line writes the id as canonical JSON does.
    """
    reader = DigestingReader(stream)
    with damage_told(), storage_errors(place):
        lines = list(search_lines(reader, b'"item_id":' + canonical(item_id), place=place))
    compare_bytes(entry, reader.hexdigest(), reader.size, place)
    found = [(line, value) for line, value in _read_lines(lines, schema, place) if value["item_id"] == item_id]
    if len(found) > 1:
        raise DamagedError("an item id stands twice", place=f"{place}:{found[1][0].number}", got=repr(item_id))
    return found[0] if found else None


@contextmanager
def damage_told() -> Iterator[None]:
    """What canon refuses of a sealed file is damage."""
    try:
        yield
    except CanonError as error:
        raise DamagedError(error.what, place=error.place, got=error.got, expected=error.expected) from error


def require_shape(schema: str, document: object, place: str) -> None:
    """Refuse a document that has not the shape of its schema."""
    misfits = find_misfits(schema, document)
    if misfits:
        raise DamagedError(
            f"not a {schema.replace('-', ' ')}: {misfits[0].what}", place=f"{place} {misfits[0].pointer or '/'}"
        )


def compare_bytes(entry: FileEntry, sha256: str, size: int, place: str) -> None:
    """Refuse bytes that are not those that the manifest states."""
    if (sha256, size) != (entry["sha256"], entry["bytes"]):
        raise DamagedError(
            "the file is not what was sealed",
            place=place,
            got=f"{size} bytes, sha256 {sha256}",
            expected=f"{entry['bytes']} bytes, sha256 {entry['sha256']}",
        )


def _read_lines(lines: Iterable[tuple[int, int, bytes]], schema: str, place: str) -> Iterator[LineAndValue]:
    for number, offset, line in lines:
        with damage_told():
            value = parse_line(line, number=number, offset=offset, place=place)
        require_shape(schema, value, f"{place}:{number}")
        yield Line(number, offset, len(line), sha256_hex(line)), value
