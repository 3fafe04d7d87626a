"""Run in a process of its own, which kills itself with signal 9 where it is told to.

crashing.py record ROOT ASKED LOG how many     answer items, die after so many entries ("half": within the next one)
crashing.py seal ROOT                           die at every single operation of sealing in turn; print what was left
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import NoReturn

from archive.samples import RUN_ID, SEALED_AT, answer, answer_all, evidence_of, open_tiny
from benchproof.archive import axis_key_of, list_open_runs, resume_run, seal_run, verify_archive
from benchproof.archive.filesystem import Disk

COUNT = 2


def die() -> NoReturn:
    """End as a power button ends a process: no handler runs."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


class DyingDisk(Disk):
    """Dies in the middle of the entry after ``whole`` whole ones."""

    def __init__(self, whole: int) -> None:
        self.left = whole

    def write(self, file: int, data: bytes) -> None:
        if b"\t" not in data:
            super().write(file, data)
            return
        if self.left == 0:
            super().write(file, data[: len(data) // 2])
            die()
        self.left -= 1
        super().write(file, data)


class CountedDisk(Disk):
    """Dies before operation ``fatal``, counted from 1."""

    def __init__(self, fatal: int) -> None:
        self.left = fatal

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            die()

    def create(self, name: str, folder: int, mode: int = 0o444) -> int:
        self._count()
        return super().create(name, folder, mode)

    def make_folder(self, name: str, folder: int | None = None) -> None:
        self._count()
        super().make_folder(name, folder)

    def write(self, file: int, data: bytes) -> None:
        self._count()
        super().write(file, data)

    def sync(self, file: int) -> None:
        self._count()
        super().sync(file)

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        self._count()
        super().rename_new(name, folder, new_name, new_folder)

    def remove_tree(self, name: str, folder: int) -> None:
        self._count()
        super().remove_tree(name, folder)


def record(root: Path, log: Path, where: str, after: int) -> None:
    """Ask what is not recorded yet, note each question in ``log``, die after ``after`` entries."""
    disk = DyingDisk(after) if where == "half" else Disk()
    is_new = not (root / "store.json").exists() or not list_open_runs(root)
    run = open_tiny(root, COUNT, disk=disk) if is_new else resume_run(root, RUN_ID, disk=disk)
    done = run.done()
    recorded = 0
    for axis in run.opening["axes"]:
        key = axis_key_of(axis)
        for item in run.items(key):
            if (key, item["item_id"]) not in done:
                raw = answer(run.axes[key], item)
                with log.open("a") as stream:
                    stream.write(f"{key} {item['item_id']}\n")
                run.record(key, raw)
                recorded += 1
                if recorded == after and where == "whole":
                    die()
    seal_run(run, sealed_at=SEALED_AT)


def seal_at_every_point(root: Path) -> None:
    """One line of JSON a point of death: what the archive held right after, and after sealing once more."""
    with open_tiny(root / "base", COUNT) as run:
        answer_all(run)
    fatal, survived = 0, False
    while not survived:
        fatal += 1
        work = root / f"at-{fatal}"
        shutil.copytree(root / "base", work)
        child = os.fork()
        if child == 0:
            seal_run(resume_run(work, RUN_ID, disk=CountedDisk(fatal)), sealed_at=SEALED_AT)
            os._exit(0)
        survived = os.waitpid(child, 0)[1] == 0
        after = verify_archive(work)
        is_sealed = [verified.id for verified in after.runs] == [RUN_ID]
        if not is_sealed:
            seal_run(resume_run(work, RUN_ID), sealed_at=SEALED_AT)
        evidence = evidence_of(work / "runs" / RUN_ID)
        report = {
            "sealed": is_sealed,
            "findings": [str(finding) for finding in after.all_findings],
            "evidence": {path: data.decode() for path, data in evidence.items()},
            "open": [[summary.done, summary.is_sealed] for summary in list_open_runs(work)],
            "died": not survived,
        }
        sys.stdout.write(json.dumps(report) + "\n")
        shutil.rmtree(work)


if __name__ == "__main__":
    verb, root, *rest = sys.argv[1:]
    if verb == "record":
        record(Path(root), Path(rest[0]), rest[1], int(rest[2]))
    else:
        seal_at_every_point(Path(root))
