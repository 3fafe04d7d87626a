"""What somebody left in ``.staging``, ``.locks`` or the store file: one clear error, no hang, no harm to the rest."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from archive.samples import RUN_ID, answer_all, open_tiny
from benchproof.archive import (
    ArchiveError,
    DamagedError,
    LayoutError,
    LockedError,
    init_archive,
    list_open_runs,
    list_runs,
    resume_run,
    run_opening,
)
from benchproof.archive.journal import EntryText, encode_entry, replay_journal
from benchproof.archive.layout import open_run_folder
from benchproof.canon import canonical, parse

FILES = ["opening.json", "journal", "axes/reading.en.json", "items/reading.en.ndjson"]


Change = Callable[[Path], object]


def replace(make: Change) -> Change:
    def change(path: Path) -> None:
        path.unlink()
        make(path)

    return change


def write(data: bytes) -> Change:
    return replace(lambda path: path.write_bytes(data))


UNREADABLE: dict[str, Change] = {
    "missing": Path.unlink,
    "a FIFO": replace(os.mkfifo),
    "a folder": replace(Path.mkdir),
    "a link to endless zeros": replace(lambda path: path.symlink_to("/dev/zero")),
    "a link to itself": replace(lambda path: path.symlink_to(path)),
}
NO_OPENING: dict[str, Change] = {
    "empty": write(b""),
    "an array": write(b"[1]"),
    "null": write(b"null"),
    "an object without keys": write(b"{}"),
    "no UTF-8": write(b"\xff\xfe"),
    "deep": write(b"[" * 100_000),
}


def leave_open(root: Path, run_id: str) -> Path:
    with open_tiny(root, run_id=run_id) as run:
        answer_all(run, limit=2)
    return open_run_folder(root, run_id)


@pytest.mark.parametrize("how", UNREADABLE)
@pytest.mark.parametrize("name", FILES)
def test_an_open_run_with_a_file_that_is_none_is_refused_by_name(root: Path, name: str, how: str) -> None:
    path = leave_open(root, RUN_ID) / name
    UNREADABLE[how](path)
    with pytest.raises(ArchiveError, match=path.name):
        resume_run(root, RUN_ID)


@pytest.mark.parametrize("how", [*UNREADABLE, *NO_OPENING])
def test_one_unreadable_open_run_hides_no_other(root: Path, how: str) -> None:
    damaged = leave_open(root, "damaged")
    leave_open(root, "whole")
    (UNREADABLE | NO_OPENING)[how](damaged / "opening.json")
    told: dict[str, ArchiveError] = {}
    assert [run.id for run in list_open_runs(root, on_damage=told.__setitem__)] == ["whole"]
    assert list(told) == ["damaged"]
    with pytest.raises(ArchiveError, match=r"damaged/opening\.json"):
        list_open_runs(root)
    with pytest.raises(ArchiveError, match=r"damaged/opening\.json"):
        resume_run(root, "damaged")


@pytest.mark.parametrize("head", [b"null", b"[]", b"{}", b'{"axis_key":[],"item_id":{},"outcome":"answered"}'])
def test_a_journal_entry_with_a_right_checksum_and_a_wrong_head_is_damage(root: Path, head: bytes) -> None:
    with (leave_open(root, RUN_ID) / "journal").open("ab") as stream:
        stream.write(encode_entry(EntryText(head, b"", b"{}")))
    with pytest.raises(DamagedError, match="no readable head"):
        resume_run(root, RUN_ID)


def test_a_journal_entry_of_an_axis_that_the_run_does_not_have_is_damage(root: Path) -> None:
    head = canonical({"axis_key": "other.en", "item_id": "en/1", "outcome": "answered"})
    with (leave_open(root, RUN_ID) / "journal").open("ab") as stream:
        stream.write(encode_entry(EntryText(head, b"{}", b"{}")))
    with pytest.raises(DamagedError, match=r"an axis that the run does not have.*got 'other\.en'"):
        resume_run(root, RUN_ID)


def test_a_journal_with_an_endless_line_hides_no_other_open_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_open(root, "whole")
    journal = leave_open(root, "damaged") / "journal"
    size = journal.stat().st_size
    with journal.open("ab") as stream:
        stream.write(b"0" * (size + 1))
    monkeypatch.setattr(run_opening, "replay_journal", partial(replay_journal, max_entry_bytes=size))
    told: dict[str, ArchiveError] = {}
    assert [run.id for run in list_open_runs(root, on_damage=told.__setitem__)] == ["whole"]
    assert str(told["damaged"]).startswith(f"{journal}:3: a line of the journal is longer than an entry can be")


def test_an_open_run_in_a_folder_of_another_name_is_refused(root: Path) -> None:
    leave_open(root, "first").rename(open_run_folder(root, "second"))
    with pytest.raises(DamagedError, match="not named by its open run; got second; expected first"):
        resume_run(root, "second")


def test_an_open_run_that_is_a_link_is_reported(root: Path) -> None:
    leave_open(root, "first")
    (root / ".staging" / "run-linked").symlink_to(open_run_folder(root, "first"))
    told: list[str] = []
    assert [run.id for run in list_open_runs(root, on_damage=lambda name, _error: told.append(name))] == ["first"]
    assert told == ["linked"]


def test_an_open_run_that_goes_while_the_runs_are_listed_is_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_open(root, "first")
    monkeypatch.setattr(run_opening, "list_names", lambda _folder: ["run-first", "run-gone"])
    assert [run.id for run in list_open_runs(root)] == ["first"]


def test_who_holds_a_lock_is_not_read_from_a_file_that_is_none(root: Path) -> None:
    init_archive(root)
    os.mkfifo(root / ".locks" / f"run-{RUN_ID}.lock")
    with open_tiny(root), pytest.raises(LockedError, match="in use by another process"):
        resume_run(root, RUN_ID)


@pytest.mark.parametrize("how", UNREADABLE)
def test_a_store_file_that_is_none_is_refused_and_not_written_through(root: Path, how: str) -> None:
    init_archive(root)
    UNREADABLE[how](root / "store.json")
    with pytest.raises(LayoutError):
        list_runs(root)
    if how == "missing":
        return
    with pytest.raises(LayoutError, match=r"store\.json"):
        init_archive(root)


def test_a_store_file_says_one_and_not_true(root: Path) -> None:
    init_archive(root)
    store = parse((root / "store.json").read_bytes())
    (root / "store.json").write_bytes(canonical({**store, "schema_version": True}))
    with pytest.raises(LayoutError, match="not a store file that this version reads"):
        init_archive(root)
