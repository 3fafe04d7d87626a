"""A disk that is full or read-only: one clear message, exit 4, nothing half published (issue 2)."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchproof.archive import list_open_runs
from cli.calling import TINY, CommandLine, digest_tree, write_sums


@pytest.fixture
def disk(line: CommandLine) -> Iterator[Path]:
    """A file system of 4 MiB of its own, where the archive lies."""
    line.archive.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(line.archive)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"cannot mount a small file system here: {mounted.stderr.strip()}")
    yield line.archive
    subprocess.run(["umount", "-l", str(line.archive)], check=True)


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)


def test_a_read_only_archive_is_read_and_not_written(line: CommandLine, disk: Path) -> None:
    assert line("run", TINY, "control:first").code == 0
    remount(disk, "ro")
    before = digest_tree(disk)
    answer = line("run", TINY, "control:first")
    assert answer.code == 4
    [error] = [row for row in answer.err.splitlines() if row.startswith("error: ")]
    assert str(disk) in error
    assert "the file system is read-only. Point --archive at a folder that can be written" in error
    assert "Traceback" not in answer.err
    for words in (["verify"], ["list"], ["table", "tiny"], ["score", "tiny"], ["show", "tiny"]):
        assert line(*words).code == 0
    assert digest_tree(disk) == before


def test_the_score_sheet_of_a_read_only_archive_is_computed_again(line: CommandLine, disk: Path) -> None:
    assert line("run", TINY, "control:first").code == 0
    remount(disk, "ro")
    tag = line("score", "tiny").out[:12]
    assert line("why", tag).code == 0


def test_a_full_disk_keeps_what_was_answered_and_the_run_goes_on_later(
    line: CommandLine, disk: Path, tmp_path: Path
) -> None:
    bench = write_sums(tmp_path / "sums", 1000)
    assert line("run", TINY, "control:first").code == 0
    sealed = digest_tree(disk / "runs")
    remount(disk, "size=600k")
    answer = line("run", bench, "control:first", "control:longest")
    assert answer.code == 4
    [error] = [row for row in answer.err.splitlines() if row.startswith("error: ")]
    assert "no space is left on the disk. Free some space and try again" in error
    assert "1 run not begun" in answer.err  # the next model would meet the same disk
    assert "Traceback" not in answer.err
    assert digest_tree(disk / "runs") == sealed
    [left] = list_open_runs(disk)
    remount(disk, "size=8m")
    resumed = line.run(bench, "control:first", "--resume")
    assert (resumed["run"], resumed["asked"]) == (left.id, 1000 - left.done)
    assert line("verify").code == 0


def test_a_disk_too_full_for_an_archive_is_said_and_the_folder_serves_later(line: CommandLine, disk: Path) -> None:
    filling = disk.parent / "babel-data" / ".staging"
    filling.mkdir()
    remount(disk, "size=4k")
    answer = line("run", TINY, "control:first")
    assert answer.code == 4
    assert "no space is left on the disk" in answer.err
    remount(disk, "size=4m")
    assert line("run", TINY, "control:first").code == 0
