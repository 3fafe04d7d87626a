"""The append-only journal of an open run: what was recorded so far, and where (contract-archive §7).

One line an entry: CRC-32 of the rest, then head, raw line and record, separated by tabs. The three are canonical JSON,
in which no tab and no line feed can stand, so that sealing copies bytes and parses nothing. Each entry is handed to the
operating system before ``append`` returns (a killed process loses nothing) and is made durable in groups (a power cut
loses at most 64 entries, or what one second brought).
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, NotRequired, TypedDict

from benchproof.archive.errors import DamagedError, OpenRunError
from benchproof.archive.filesystem import Disk, storage_errors
from benchproof.archive.recorded import EntryKey, EntrySpan, JournalIndex
from benchproof.canon import MAX_LINE_BYTES, CanonError, canonical, parse
from benchproof.records.run import Outcome

GROUP_ENTRIES = 64
GROUP_SECONDS = 1.0

MAX_ENTRY_BYTES = 3 * MAX_LINE_BYTES
"""Longest line of a journal: no raw line and no record is longer than one of the archive, and no head comes near it."""


class EntryHead(TypedDict):
    """What the journal knows of an entry beside its evidence; ``timing`` holds operational figures of the call."""

    axis_key: str
    item_id: str
    outcome: Outcome
    timing: NotRequired[dict[str, float]]


class EntryText(NamedTuple):
    """The three parts of an entry; ``raw`` is empty where the model was not asked."""

    head: bytes
    raw: bytes
    record: bytes


@dataclass(frozen=True, slots=True)
class TornLine:
    """Bytes that were dropped when a journal was read back, and why they are no entry."""

    line: int
    offset: int
    length: int
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A journal read back: its entries, what was dropped, and the length up to which it can be written on."""

    entries: JournalIndex
    torn: list[TornLine]
    length: int


def encode_entry(entry: EntryText) -> bytes:
    """One journal line with its checksum and line feed."""
    body = b"\t".join(entry)
    return b"%08x\t%b\n" % (zlib.crc32(body), body)


def decode_entry(line: bytes) -> EntryText | None:
    """The parts of a whole journal line; ``None`` where it is torn or altered."""
    if not line.endswith(b"\n") or line[8:9] != b"\t":
        return None
    body = line[9:-1]
    if line[:8] != b"%08x" % zlib.crc32(body):
        return None
    parts = body.split(b"\t")
    return EntryText(*parts) if len(parts) == 3 else None


def replay_journal(stream: BinaryIO, *, place: str = "journal", max_entry_bytes: int = MAX_ENTRY_BYTES) -> Replay:
    """Read a journal from its start; only whole entries count, the first where one item has two.

    ``DamagedError`` where a line is longer than any entry: it is not read whole.
    """
    entries = JournalIndex()
    torn: list[TornLine] = []
    offset = 0
    for number, line in enumerate(_read_lines(stream, place, max_entry_bytes), start=1):
        entry = decode_entry(line)
        if entry is None:
            reason = "checksum does not match" if line.endswith(b"\n") else "the line has no end"
            torn.append(TornLine(number, offset, len(line), reason))
            if not line.endswith(b"\n"):
                break
        else:
            head = _read_head(entry.head, f"{place}:{number}")
            key = (head["axis_key"], head["item_id"])
            entries.add(key, EntrySpan(offset, len(line), head["outcome"], "timing" in head))
        offset += len(line)
    return Replay(entries, torn, offset)


def _read_lines(stream: BinaryIO, place: str, limit: int) -> Iterator[bytes]:
    number = 0
    while line := stream.readline(limit + 1):
        number += 1
        if len(line) > limit:
            raise DamagedError(
                "a line of the journal is longer than an entry can be",
                place=f"{place}:{number}",
                got=f"more than {limit:,} bytes without a line feed",
                expected=f"at most {limit:,}",
                hint="Start a new run without --resume; `benchproof archive gc --discard-run ID` removes this one",
            )
        yield line


def _read_head(head: bytes, place: str) -> EntryHead:
    try:
        value: EntryHead = parse(head)
        are_texts = all(isinstance(part, str) for part in (value["axis_key"], value["item_id"], value["outcome"]))
    except (CanonError, KeyError, TypeError) as error:
        raise _headless(head, place) from error
    if not are_texts:
        raise _headless(head, place)
    return value


def _headless(head: bytes, place: str) -> DamagedError:
    return DamagedError("a journal entry with a right checksum has no readable head", place=place, got=repr(head[:200]))


class GroupCommit:
    """When to make entries durable: after 64 of them, or once a second. Pure; time comes in."""

    def __init__(self, now: float) -> None:
        self._pending = 0
        self._last = now

    def is_due(self, now: float) -> bool:
        """Count one entry; whether a sync is due now."""
        self._pending += 1
        return self._pending >= GROUP_ENTRIES or now - self._last >= GROUP_SECONDS

    def settle(self, now: float) -> None:
        """A sync has succeeded."""
        self._pending = 0
        self._last = now

    @property
    def pending(self) -> int:
        """Entries that a power cut could still lose."""
        return self._pending


class Journal:
    """The journal of one open run on disk. After a failed write or sync it takes no more entries."""

    def __init__(self, disk: Disk, file: int, replay: Replay, *, place: str, now: float) -> None:
        self._disk = disk
        self._file = file
        self._place = place
        self._length = replay.length
        self._group = GroupCommit(now)
        self._broken = False
        self.entries = replay.entries

    def append(self, head: EntryHead, raw: bytes, record: bytes, *, now: float) -> None:
        """Hand an entry to the operating system; make it durable when the group is due."""
        if self._broken:
            raise OpenRunError(
                "an earlier write to this run failed; nothing is written behind it",
                place=self._place,
                hint="Free the cause and resume the run",
            )
        line = encode_entry(EntryText(canonical(head), raw, record))
        key = (head["axis_key"], head["item_id"])
        with storage_errors(self._place):
            try:
                self._disk.write(self._file, line)
                self.entries.add(key, EntrySpan(self._length, len(line), head["outcome"], "timing" in head))
                self._length += len(line)
                if self._group.is_due(now):
                    self._disk.sync(self._file)
                    self._group.settle(now)
            except BaseException:
                self._broken = True
                raise

    def read(self, key: EntryKey) -> EntryText:
        """Read an entry back, checksum and all."""
        span = self.entries.find(key)
        with storage_errors(self._place):
            line = self._disk.read_at(self._file, span.offset, span.length)
        entry = decode_entry(line)
        if entry is None:
            raise DamagedError("a journal entry changed after it was written", place=f"{self._place} @ {span.offset}")
        return entry

    def close(self) -> None:
        """Make what is pending durable and close."""
        with storage_errors(self._place):
            try:
                if self._group.pending and not self._broken:
                    self._disk.sync(self._file)
            finally:
                self._disk.close(self._file)
