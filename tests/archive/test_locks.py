import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

import benchproof
from archive.samples import RUN_ID, SEALED_AT, answer_all, open_tiny
from benchproof.archive import (
    LockedError,
    OpenRunError,
    RunExistsError,
    SealedRef,
    StorageError,
    discard_open_run,
    init_archive,
    list_open_runs,
    list_runs,
    resume_run,
    seal_files,
    seal_run,
    sealing,
    verify_archive,
)
from benchproof.archive.filesystem import Disk
from benchproof.archive.locks import hold_archive_lock, is_run_locked

HOLD = """
import sys
from pathlib import Path
from benchproof.archive import resume_run
run = resume_run(Path(sys.argv[1]), sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


def hold_in_another_process(root: Path, run_id: str) -> subprocess.Popen[str]:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(root), run_id],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(benchproof.__file__).parent.parent)},
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_second_process_on_an_open_run_is_refused_by_name_and_free_after_a_kill(root: Path) -> None:
    open_tiny(root).close()
    with hold_in_another_process(root, RUN_ID) as holder:
        with pytest.raises(LockedError, match=f"in use by process {holder.pid} on {os.uname().nodename}") as caught:
            resume_run(root, RUN_ID)
        assert caught.value.exit_code == 2
        assert is_run_locked(root, RUN_ID)
        with pytest.raises(LockedError, match=f"process {holder.pid}"):
            discard_open_run(root, RUN_ID)
        holder.kill()
    assert not is_run_locked(root, RUN_ID)
    resume_run(root, RUN_ID).close()


def test_one_process_does_not_get_a_run_twice_either(root: Path) -> None:
    with open_tiny(root), pytest.raises(LockedError, match=f"process {os.getpid()}"):
        resume_run(root, RUN_ID)


def test_an_open_run_is_not_opened_again_in_any_letter_case(root: Path) -> None:
    open_tiny(root).close()
    with pytest.raises(OpenRunError, match="a run of that id is open already"):
        open_tiny(root, run_id=RUN_ID.upper())


def test_a_discarded_run_is_gone(root: Path) -> None:
    open_tiny(root).close()
    discard_open_run(root, RUN_ID)
    assert list_open_runs(root) == []
    open_tiny(root).discard()
    assert list((root / ".staging").iterdir()) == []


def test_a_waiting_writer_says_who_holds_the_archive(root: Path) -> None:
    init_archive(root)
    ticks = iter([0.0, 0.0, 99.0])
    with (
        hold_archive_lock(root),
        pytest.raises(LockedError, match=rf"the archive is in use by process {os.getpid()} on .* after 30 s"),
        hold_archive_lock(root, monotonic=lambda: next(ticks)),
    ):
        raise AssertionError("never held twice")


def test_a_lock_that_is_a_symbolic_link_is_refused_and_its_target_untouched(root: Path, tmp_path: Path) -> None:
    init_archive(root)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (root / ".locks/archive.lock").symlink_to(victim)
    with pytest.raises(StorageError), hold_archive_lock(root):
        pass
    assert victim.read_text() == "precious"


class MeetingDisk(Disk):
    """All writers are past every check when the first of them renames."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self.barrier = barrier

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        self.barrier.wait(timeout=30)
        super().rename_new(name, folder, new_name, new_folder)


class PlainRenameDisk(MeetingDisk):
    """As on a kernel that cannot rename without replacement."""

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        self.barrier.wait(timeout=30)
        self._rename_where_absent(name, folder, new_name, new_folder)


@pytest.mark.parametrize("disk_kind", [MeetingDisk, PlainRenameDisk])
def test_where_locks_do_nothing_the_rename_lets_one_writer_win(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk_kind: type[MeetingDisk]
) -> None:
    """ "The rename is the arbiter: correct even where locks do nothing." (contract-archive §4)"""
    monkeypatch.setattr(sealing, "hold_archive_lock", lambda _: nullcontext())
    init_archive(root)
    writers = 6
    disk = disk_kind(threading.Barrier(writers))

    def write(number: int) -> SealedRef | RunExistsError:
        source = tmp_path / f"{number}.json"
        source.write_text(str(number))
        try:
            return seal_files(root, id="one", model="m", files={"x.json": source}, sealed_at=SEALED_AT, disk=disk)
        except RunExistsError as error:
            return error

    with ThreadPoolExecutor(writers) as pool:
        outcomes = list(pool.map(write, range(writers)))
    (winner,) = [outcome for outcome in outcomes if isinstance(outcome, SealedRef)]
    losers = [outcome for outcome in outcomes if isinstance(outcome, RunExistsError)]
    assert {loser.sealed_sha256 for loser in losers} == {winner.sha256}
    assert {loser.identical for loser in losers} == {False}
    assert verify_archive(root).all_findings == ()
    assert list((root / ".staging").iterdir()) == []


def test_two_sealers_of_one_id_end_with_one_run_and_the_other_keeps_its_evidence(root: Path, tmp_path: Path) -> None:
    source = tmp_path / "theirs.json"
    source.write_text("{}")
    with open_tiny(root) as run:
        answer_all(run)
        seal_files(root, id=RUN_ID, model="m", files=[source], sealed_at=SEALED_AT)
        with pytest.raises(RunExistsError, match="sealed already, with other raw/ or records/"):
            seal_run(run, sealed_at=SEALED_AT)
    assert len(list_runs(root)) == 1
    assert [(summary.done, summary.is_sealed) for summary in list_open_runs(root)] == [(12, True)]
