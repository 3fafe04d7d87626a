import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.samples import answer_all, open_tiny
from benchproof.archive import DamagedError, OpenRunError, StorageError, resume_run
from benchproof.archive.filesystem import Disk
from benchproof.archive.journal import (
    MAX_ENTRY_BYTES,
    EntryText,
    GroupCommit,
    decode_entry,
    encode_entry,
    replay_journal,
)
from benchproof.canon import MAX_LINE_BYTES, canonical

LINES = [
    encode_entry(
        EntryText(
            canonical({"axis_key": "reading.en", "item_id": f"en/{n}", "outcome": "answered"}),
            canonical({"text": "tab\t and line\n feed"}),
            canonical({"n": n}),
        )
    )
    for n in range(5)
]
JOURNAL = b"".join(LINES)


@given(st.integers(min_value=0, max_value=len(JOURNAL)))
def test_a_journal_cut_anywhere_gives_back_its_whole_lines_and_names_the_torn_one(length: int) -> None:
    """ "a torn last line is dropped and said so" (contract-archive §7)."""
    replay = replay_journal(io.BytesIO(JOURNAL[:length]))
    whole = JOURNAL[:length].count(b"\n")
    assert len(replay.entries) == whole
    assert replay.length == sum(map(len, LINES[:whole]))
    assert len(replay.torn) == (replay.length != length)


@given(st.integers(min_value=0, max_value=len(JOURNAL) - 1), st.integers(min_value=0, max_value=7))
def test_an_altered_line_counts_for_nothing_and_the_others_stay(position: int, bit: int) -> None:
    data = bytearray(JOURNAL)
    data[position] ^= 1 << bit
    replay = replay_journal(io.BytesIO(bytes(data)))
    assert 3 <= len(replay.entries) <= 4
    assert replay.torn


def test_an_entry_comes_back_in_its_three_parts() -> None:
    entry = decode_entry(LINES[2])
    assert entry is not None
    assert entry.raw == b'{"text":"tab\\t and line\\n feed"}'


def test_entries_are_made_durable_after_sixty_four_or_a_second() -> None:
    group = GroupCommit(now=0.0)
    assert [group.is_due(0.5) for _ in range(64)] == [False] * 63 + [True]
    group.settle(0.5)
    assert group.pending == 0
    assert not group.is_due(1.4)
    assert group.is_due(1.5)


class CountingDisk(Disk):
    def __init__(self) -> None:
        self.syncs = 0

    def sync(self, file: int) -> None:
        self.syncs += 1


def test_recording_syncs_once_a_group_and_not_once_an_entry(root: Path) -> None:
    disk = CountingDisk()
    run = open_tiny(root, count=50, disk=disk, monotonic=lambda: 0.0)
    disk.syncs = 0
    assert answer_all(run) == 150
    assert disk.syncs == 2
    run.close()
    assert disk.syncs == 3


class TornDisk(Disk):
    """Writes half of the fourth entry, then has no space."""

    def __init__(self) -> None:
        self.entries = 0

    def write(self, file: int, data: bytes) -> None:
        if b"\t" in data:
            self.entries += 1
        if self.entries == 4:
            super().write(file, data[: len(data) // 2])
            raise OSError(28, os.strerror(28))
        super().write(file, data)


def test_nothing_is_written_behind_a_torn_entry_and_the_run_goes_on_after_resume(root: Path) -> None:
    run = open_tiny(root, disk=TornDisk())
    with pytest.raises(StorageError, match="no space is left on the disk") as caught:
        answer_all(run)
    assert caught.value.exit_code == 4
    with pytest.raises(OpenRunError, match="nothing is written behind it"):
        answer_all(run)
    run.close()
    resumed = resume_run(root, run.id)
    (finding,) = resumed.findings
    assert (finding.code, finding.place) == ("A046", "journal:4")
    assert len(resumed.done()) == 3
    assert answer_all(resumed) == 9
    resumed.close()
    with resume_run(root, run.id) as again:
        assert again.findings == ()


def test_a_line_that_is_longer_than_any_entry_is_refused_before_it_is_read_whole() -> None:
    class Endless(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= 1001
            return super().readline(size)

    with pytest.raises(DamagedError, match="longer than an entry can be") as caught:
        replay_journal(Endless(LINES[0] + b"\0" * 5000), place="run-x/journal", max_entry_bytes=1000)
    assert (caught.value.place, caught.value.expected) == ("run-x/journal:2", "at most 1,000")


def test_the_longest_entry_that_can_be_written_can_be_read_back() -> None:
    assert MAX_ENTRY_BYTES > 2 * MAX_LINE_BYTES + 1_000_000


def test_the_first_of_two_entries_of_an_item_counts() -> None:
    again = encode_entry(EntryText(canonical({"axis_key": "a", "item_id": "b", "outcome": "errored"}), b"1", b"2"))
    first = encode_entry(EntryText(canonical({"axis_key": "a", "item_id": "b", "outcome": "answered"}), b"1", b"2"))
    replay = replay_journal(io.BytesIO(first + again))
    assert replay.entries.find(("a", "b")).outcome == "answered"
    assert replay.entries.recorded("a").count_outcomes() == {"answered": 1}
