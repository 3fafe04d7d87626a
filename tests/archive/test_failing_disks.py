"""Disk full, read-only, no permission, device error: a clear error, nothing half published (contract-archive §4)."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from archive.samples import RUN_ID, SEALED_AT, answer_all, evidence_of, make_parts, open_tiny, seal_tiny
from archive.test_score_sheets import make_sheet
from benchproof.archive import (
    OpenRun,
    PublishedButNotDurableError,
    StorageError,
    init_archive,
    list_open_runs,
    list_runs,
    load_run,
    open_run,
    resume_run,
    save_sheet,
    seal_run,
    verify_archive,
    verify_run,
)
from benchproof.archive.filesystem import Disk
from benchproof.canon import canonical
from benchproof.errors import ExitCode

OPERATIONS = ("create", "make_folder", "write", "sync", "close", "rename_new")


class FailingDisk(Disk):
    """Fails the ``nth`` call of one operation, counted from 1, with an error of the operating system."""

    def __init__(self, operation: str, nth: int, code: int = errno.ENOSPC) -> None:
        self.operation = operation
        self.left = nth
        self.code = code

    def _count(self, operation: str) -> None:
        if operation == self.operation:
            self.left -= 1
            if self.left == 0:
                raise OSError(self.code, os.strerror(self.code))

    def create(self, name: str, folder: int, mode: int = 0o444) -> int:
        self._count("create")
        return super().create(name, folder, mode)

    def make_folder(self, name: str, folder: int | None = None) -> None:
        self._count("make_folder")
        super().make_folder(name, folder)

    def write(self, file: int, data: bytes) -> None:
        self._count("write")
        super().write(file, data)

    def sync(self, file: int) -> None:
        self._count("sync")
        super().sync(file)

    def close(self, file: int) -> None:
        super().close(file)
        self._count("close")

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        self._count("rename_new")
        super().rename_new(name, folder, new_name, new_folder)


def leave_open(root: Path) -> None:
    with open_tiny(root, 2) as run:
        answer_all(run)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_call_fails_while_sealing_the_run_is_there_whole_or_not_at_all(root: Path, operation: str) -> None:
    whole = evidence_of(seal_tiny(root / "whole", 2).path)
    leave_open(root / "base")
    nth = 0
    disk = FailingDisk(operation, 1)
    while disk.left <= 0 or nth == 0:
        nth += 1
        work = root / f"{operation}-{nth}"
        shutil.copytree(root / "base", work)
        disk = FailingDisk(operation, nth)
        with resume_run(work, RUN_ID) as run, suppress(StorageError):
            run.disk = disk
            seal_run(run, sealed_at=SEALED_AT)
        assert verify_archive(work).all_findings == ()
        if not list_runs(work):
            seal_run(resume_run(work, RUN_ID), sealed_at=SEALED_AT)
        assert evidence_of(work / "runs" / RUN_ID) == whole
    assert nth > 1


@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_call_fails_while_opening_there_is_an_open_run_or_none(root: Path, operation: str) -> None:
    nth = 0
    disk = FailingDisk(operation, 1)
    while disk.left <= 0 or nth == 0:
        nth += 1
        work = root / f"{operation}-{nth}"
        disk = FailingDisk(operation, nth)
        with suppress(StorageError):
            open_tiny(work, 2, disk=disk).close()
        assert [summary.planned for summary in list_open_runs(work)] in ([], [6])
        if not list_open_runs(work):
            open_tiny(work, 2).close()
    assert nth > 1


def test_a_name_that_may_not_be_durable_is_an_outcome_of_its_own(root: Path) -> None:
    leave_open(root)
    with resume_run(root, RUN_ID) as run:
        # The two last syncs of sealing are of runs/ and .staging/, after the rename.
        run.disk = LastSyncFails()
        with pytest.raises(PublishedButNotDurableError, match="the run is published, but") as caught:
            seal_run(run, sealed_at=SEALED_AT)
    assert caught.value.exit_code == ExitCode.CANNOT_TELL
    assert caught.value.sha256 == load_run(root, RUN_ID).sha256
    assert verify_run(root, RUN_ID).is_intact


class LastSyncFails(Disk):
    def __init__(self) -> None:
        self.is_published = False

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        super().rename_new(name, folder, new_name, new_folder)
        self.is_published = True

    def sync(self, file: int) -> None:
        if self.is_published:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().sync(file)


def test_a_failed_sync_is_final_and_never_asked_again(root: Path) -> None:
    """ "A failed fsync is final for that staging folder.\""""
    leave_open(root)
    with resume_run(root, RUN_ID) as run:
        run.disk = disk = SyncFailsOnce()
        with pytest.raises(StorageError, match="the device reported an error"):
            seal_run(run, sealed_at=SEALED_AT)
    assert disk.after == 0
    assert list_runs(root) == []


class SyncFailsOnce(Disk):
    def __init__(self) -> None:
        self.has_failed = False
        self.after = 0

    def sync(self, file: int) -> None:
        if self.has_failed:
            self.after += 1
        self.has_failed = True
        raise OSError(errno.EIO, os.strerror(errno.EIO))


class LyingDisk(Disk):
    """Writes one byte other than was asked, once."""

    def __init__(self) -> None:
        self.has_lied = False

    def write(self, file: int, data: bytes) -> None:
        if not self.has_lied and len(data) > 100:
            self.has_lied = True
            data = b"X" + data[1:]
        super().write(file, data)


def test_what_the_disk_gives_back_is_compared_before_it_is_published(root: Path) -> None:
    leave_open(root)
    with resume_run(root, RUN_ID) as run:
        run.disk = LyingDisk()
        with pytest.raises(StorageError, match="gave back other bytes than were written"):
            seal_run(run, sealed_at=SEALED_AT)
    assert list_runs(root) == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, "no space is left on the disk"),
        (errno.EDQUOT, "the disk quota is used up"),
        (errno.EROFS, "the file system is read-only"),
        (errno.EACCES, "permission was denied"),
        (errno.EIO, "the device reported an error"),
    ],
)
def test_the_error_says_what_the_disk_said(root: Path, code: int, message: str) -> None:
    with pytest.raises(StorageError, match=message) as caught:
        open_tiny(root, disk=FailingDisk("create", 1, code))
    assert str(root) in str(caught.value)


# ---- real file systems ------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 160 KiB of its own."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"cannot mount a small file system here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def remount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)


def test_on_a_full_disk_what_was_recorded_stays_and_the_run_goes_on_later(small_disk: Path) -> None:
    root = small_disk / "babel-data"
    with open_tiny(root, 40) as run:
        with pytest.raises(StorageError, match="no space is left on the disk") as caught:
            answer_all(run)
        recorded = len(run.done())
    assert caught.value.exit_code == ExitCode.CANNOT_TELL
    assert 10 < recorded < 120
    remount(small_disk, "size=2m")
    with resume_run(root, RUN_ID) as run:
        assert len(run.done()) == recorded
        answer_all(run)
        sealed = seal_run(run, sealed_at=SEALED_AT)
    assert verify_run(root, RUN_ID).findings == ()
    assert evidence_of(sealed.path) == evidence_of(seal_tiny(small_disk / "whole", 40).path)


def test_a_run_that_does_not_fit_when_it_is_sealed_stays_open(small_disk: Path) -> None:
    root = small_disk / "babel-data"
    seal_tiny(root, 2, run_id="before")
    with open_tiny(root, 8) as run:
        answer_all(run)
        (small_disk / "ballast").write_bytes(b"0" * (free_bytes(small_disk) - 8192))
        with pytest.raises(StorageError, match="no space is left on the disk"):
            seal_run(run, sealed_at=SEALED_AT)
    assert [summary.id for summary in list_runs(root)] == ["before"]
    assert verify_archive(root).all_findings == ()
    assert [path.name for path in (root / ".staging").iterdir()] == [f"run-{RUN_ID}"]
    (small_disk / "ballast").unlink()
    remount(small_disk, "size=2m")
    with resume_run(root, RUN_ID) as run:
        assert not seal_run(run, sealed_at=SEALED_AT).partial


def free_bytes(place: Path) -> int:
    facts = os.statvfs(place)
    return facts.f_bavail * facts.f_frsize


def test_a_read_only_archive_is_read_and_verified_and_nothing_else(small_disk: Path) -> None:
    root = small_disk / "babel-data"
    sealed = seal_tiny(root, 2)
    leave_second_open(root)
    remount(small_disk, "ro")
    assert load_run(root, sealed.id).sha256 == sealed.sha256
    assert verify_archive(root).all_findings == ()
    assert [summary.id for summary in list_open_runs(root)] == ["second"]
    assert save_sheet(root, make_sheet(sealed.id)) is None
    with pytest.raises(StorageError, match="the file system is read-only"):
        resume_run(root, "second")
    opening, axes, items = make_parts(2, "third")
    with pytest.raises(StorageError, match="read-only"):
        open_run(root, opening, axes=axes, items=items)
    with pytest.raises(StorageError, match="read-only"):
        init_archive(small_disk / "other")


def leave_second_open(root: Path) -> None:
    run: OpenRun = open_tiny(root, 2, run_id="second")
    run.close()


def test_opening_and_manifest_are_canonical(root: Path) -> None:
    leave_open(root)
    opening, _, _ = make_parts(2)
    assert (root / ".staging" / f"run-{RUN_ID}" / "opening.json").read_bytes() == canonical(opening)
