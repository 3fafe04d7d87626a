"""The container of a proof: a zip file of one exact form, so that each of its bytes is either content or checked.

    local header, name, content     a member, by name; stored, never deflated
    central header, name            a member, in the same order
    end                             22 bytes, and nothing after them

Laws kept: the same members give the same bytes on every machine (deflate's bytes are the library's affair, and a
stored member cannot be a bomb); a reader computes each header anew and compares it, so that no time, mode, flag,
comment or gap can be changed unnoticed; nothing is ever extracted: a member is read where it lies. Source: APPNOTE.TXT
6.3, without zip64, which keeps a proof below 4 GiB.
"""

import io
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, Protocol, Self

from benchproof.canon import NameRefusedError, check_relative_path
from benchproof.proof.errors import ContainerError, ContainerUnreadableError, ProofError

LOCAL: Final = struct.Struct("<4s5H3I2H")
CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
END: Final = struct.Struct("<4s4H2IH")
_VERSION, _UNIX, _MODE = 20, 3, 0o100644
_DATE: Final = 0x21  # 1980-01-01, the first day that the form knows
_LARGEST, _MOST = 2**32 - 2, 2**16 - 2  # one more would mean zip64
_LONGEST_NAME: Final = 1000
_CHUNK: Final = 1 << 20
_LINK: Final = 0o120000


class Source(Protocol):
    """What a member's bytes are read from, twice: to be digested, then to be written."""

    def __call__(self) -> AbstractContextManager[BinaryIO]:
        """Open it."""
        ...


class Member(NamedTuple):
    """A member to be written: ``size`` in bytes, ``crc`` as zip files have it."""

    name: str
    size: int
    crc: int
    source: Source


class Span(NamedTuple):
    """Where a member's content lies."""

    offset: int
    size: int
    crc: int


def local_header(name: str, size: int, crc: int) -> bytes:
    """What stands before a member's content."""
    fixed = LOCAL.pack(b"PK\3\4", _VERSION, 0, 0, 0, _DATE, crc, size, size, len(name), 0)
    return fixed + name.encode("ascii")


def central_header(name: str, size: int, crc: int, offset: int) -> bytes:
    """The member's entry in the directory at the end; ``offset`` is of its local header."""
    made_by = _UNIX << 8 | _VERSION
    facts = (made_by, _VERSION, 0, 0, 0, _DATE, crc, size, size, len(name), 0, 0, 0, 0, _MODE << 16, offset)
    return CENTRAL.pack(b"PK\1\2", *facts) + name.encode("ascii")


def end_record(count: int, size: int, offset: int) -> bytes:
    """The last 22 bytes: members, bytes of the directory, where it begins."""
    return END.pack(b"PK\5\6", 0, 0, count, count, size, offset, 0)


def write_container(stream: BinaryIO, members: Iterable[Member]) -> None:
    """Write members by name; a source that gives other bytes than were digested is refused."""
    ordered = sorted(members, key=lambda member: member.name)
    if len(ordered) > _MOST:
        raise ProofError("a proof has too many files", got=str(len(ordered)), expected=f"at most {_MOST}")
    directory, offset = [], 0
    for member in ordered:
        header = local_header(member.name, member.size, member.crc)
        directory.append((member, offset))
        offset += len(header) + member.size
        if offset > _LARGEST:
            raise ProofError(
                "a proof this large has no place in its container",
                got=f"more than {_LARGEST:,} bytes",
                expected="less than 4 GiB",
                hint="Pack fewer runs into one proof",
            )
        stream.write(header)
        _copy(member, stream)
    entries = b"".join(central_header(one.name, one.size, one.crc, at) for one, at in directory)
    stream.write(entries + end_record(len(directory), len(entries), offset))


def _copy(member: Member, stream: BinaryIO) -> None:
    size = crc = 0
    with member.source() as source:
        while block := source.read(_CHUNK):
            size, crc = size + len(block), zlib.crc32(block, crc)
            stream.write(block)
    if (size, crc) != (member.size, member.crc):
        raise ContainerUnreadableError("a file changed while it was packed", place=member.name, hint="Pack again")


class Container:
    """A proof's container, open for reading; made by ``open``, closed as a context."""

    def __init__(self, descriptor: int, place: str, spans: dict[str, Span]) -> None:
        self._descriptor = descriptor
        self.place = place
        self.spans = spans

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file and compare its whole form.

        Raises:
            ContainerError: It is no container as ``pack`` writes it.
            ContainerUnreadableError: It cannot be read, which is no verdict.
        """
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise ContainerUnreadableError(
                "the proof cannot be opened", place=str(path), got=error.strerror or str(error)
            ) from error
        try:
            return cls(descriptor, str(path), read_spans(descriptor, str(path)))
        except BaseException:
            os.close(descriptor)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._descriptor)

    def stream(self, name: str) -> BinaryIO:
        """A member's content, to be read and sought in where it lies; ``KeyError`` where there is no such member."""
        span = self.spans[name]
        return io.BufferedReader(_Slice(self._descriptor, span), _CHUNK)

    def read(self, name: str, limit: int) -> bytes:
        """All of a member that must be small."""
        if self.spans[name].size > limit:
            raise ContainerError(
                "a member is too large to be what it is named", place=f"{self.place}: {name}", expected=f"{limit} bytes"
            )
        with self.stream(name) as stream:
            return stream.read()


class Facts(NamedTuple):
    """What a member's content was found to be."""

    size: int
    sha256: str
    crc: int


def hash_member(container: Container, name: str, on_bytes: Callable[[int], None] | None = None) -> Facts:
    """Read a member to its end; ``on_bytes`` hears of each block."""
    size = crc = 0
    hashed = sha256()
    with container.stream(name) as stream:
        while block := stream.read(_CHUNK):
            size, crc = size + len(block), zlib.crc32(block, crc)
            hashed.update(block)
            if on_bytes is not None:
                on_bytes(len(block))
    return Facts(size, hashed.hexdigest(), crc)


class _Slice(io.RawIOBase):
    """A stretch of an open file as a stream; reading moves nothing that another stream could notice."""

    def __init__(self, descriptor: int, span: Span) -> None:
        self._descriptor = descriptor
        self._span = span
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._span.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = min(len(buffer), max(0, self._span.size - self._at))
        data = os.pread(self._descriptor, count, self._span.offset + self._at)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def read_spans(descriptor: int, place: str) -> dict[str, Span]:
    """Every member of a container whose form was compared to the last byte; contents are not looked at."""
    size = os.fstat(descriptor).st_size
    count, directory, offset = _find_directory(descriptor, size, place)
    spans: dict[str, Span] = {}
    expected, at = 0, 0
    for entry in _read_entries(directory, count, place):
        _refuse_by_name(entry, list(spans)[-1:], place)
        header = local_header(entry.name, entry.size, entry.crc)
        where = f"{place}: {entry.name}"
        if directory[at : at + len(entry.raw)] != central_header(entry.name, entry.size, entry.crc, expected):
            raise _other_form("the directory's entry is not as pack writes it", where)
        if os.pread(descriptor, len(header), expected) != header:
            raise _other_form("the header before the content is not as pack writes it", where)
        spans[entry.name] = Span(expected + len(header), entry.size, entry.crc)
        expected += len(header) + entry.size
        at += len(entry.raw)
    if at != len(directory) or expected != offset:
        raise _other_form("there are bytes between members and directory, or before the first", place)
    return spans


class _Entry(NamedTuple):
    name: str
    raw: bytes
    flags: int
    method: int
    mode: int
    size: int
    crc: int


def _find_directory(descriptor: int, size: int, place: str) -> tuple[int, bytes, int]:
    """Members, the directory's bytes and its offset, from a file whose last 22 bytes are the end record."""
    tail = os.pread(descriptor, END.size, max(0, size - END.size))
    if len(tail) < END.size or not tail.startswith(b"PK\5\6"):
        late = os.pread(descriptor, _MOST + END.size, max(0, size - _MOST - END.size))
        found = late.rfind(b"PK\5\6")
        if found >= 0:
            raise _other_form(f"{len(late) - found - END.size} bytes stand behind the end of the container", place)
        raise ContainerError(
            "this is no proof: it is no zip file, or its end is missing",
            place=place,
            got=f"{size:,} bytes",
            expected="a file that `benchproof pack` wrote",
        )
    count, length, offset = struct.unpack_from("<H2I", tail, 10)
    if tail != end_record(count, length, offset) or offset + length + END.size != size:
        raise _other_form("the end of the container is not as pack writes it", place)
    if length > count * (CENTRAL.size + _LONGEST_NAME):
        raise _other_form("the directory is longer than its members need", place)
    return count, os.pread(descriptor, length, offset), offset


def _read_entries(directory: bytes, count: int, place: str) -> Iterator[_Entry]:
    at = 0
    for _ in range(count):
        if directory[at : at + 4] != b"PK\1\2" or at + CENTRAL.size > len(directory):
            raise _other_form("the directory is torn", place)
        facts = CENTRAL.unpack_from(directory, at)
        flags, method, crc, size = facts[3], facts[4], facts[7], facts[9]
        end = at + CENTRAL.size + facts[10] + facts[11] + facts[12]
        name = directory[at + CENTRAL.size : at + CENTRAL.size + facts[10]].decode("utf-8", "backslashreplace")
        yield _Entry(name, directory[at:end], flags, method, facts[15] >> 16, size, crc)
        at = end


def _refuse_by_name(entry: _Entry, before: Sequence[str], place: str) -> None:
    """Say in words what is hostile or foreign about an entry, before its bytes are compared."""
    where = f"{place}: {entry.name}"
    try:
        check_relative_path(entry.name)
    except NameRefusedError as error:
        raise ContainerError(f"a member's name is refused: {error.what}", place=place, got=error.got) from error
    if before and entry.name == before[0]:
        raise _other_form("a member stands twice", where)
    if before and entry.name < before[0]:
        raise _other_form("members do not stand by name", where)
    if entry.flags & 0x41:
        raise _other_form("a member is encrypted", where)
    if entry.method:
        raise _other_form("a member is compressed; nothing is unpacked here", where)
    if entry.mode & 0o170000 == _LINK:
        raise _other_form("a member is a symbolic link", where)


def _other_form(what: str, place: str) -> ContainerError:
    return ContainerError(
        what,
        place=place,
        expected="the one form that `benchproof pack` writes",
        hint="A proof that was unpacked and zipped anew is checked as a folder: python -I -S verify.py FOLDER",
    )


SUMS_LINE: Final = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


def write_sums(digests: dict[str, str]) -> bytes:
    """The text of SHA256SUMS: one line a file, by name, as ``sha256sum`` reads it."""
    return "".join(f"{hexdigest}  {name}\n" for name, hexdigest in sorted(digests.items())).encode("ascii")


def read_sums(data: bytes, place: str) -> dict[str, str]:
    """SHA-256 by name from SHA256SUMS; ``ContainerError`` unless it is as ``write_sums`` writes it."""
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    found = {match[2]: match[1] for line in lines if (match := SUMS_LINE.fullmatch(line))}
    try:
        for name in found:
            check_relative_path(name)
    except NameRefusedError as error:
        raise ContainerError(f"a name in the list is refused: {error.what}", place=place, got=error.got) from error
    if write_sums(found) != data:
        raise ContainerError(
            "the list of digests is not as pack writes it",
            place=place,
            expected="<sha256>  <name>, a line each, sorted",
        )
    return found
