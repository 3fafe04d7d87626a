import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from archive.samples import RUN_ID, SEALED_AT, answer_all, open_tiny
from benchproof.archive import init_archive, list_open_runs, seal_run, sweep_staging
from benchproof.archive.filesystem import DISK, Disk
from benchproof.archive.locks import mark_in_use
from benchproof.archive.publishing import Staging


def test_what_a_crash_left_in_staging_is_removed_and_named(root: Path) -> None:
    open_tiny(root).close()
    left = root / ".staging" / ("a" * 32)
    (left / "raw").mkdir(parents=True)
    (left / "raw/x.ndjson").write_text("{}")
    (root / ".staging/store-1").write_text("{}")
    (root / ".staging/link").symlink_to(root.parent)
    assert sweep_staging(root) == ["a" * 32, "link", "store-1"]
    assert os.listdir(root / ".staging") == [f"run-{RUN_ID}"]  # noqa: PTH208
    assert root.parent.is_dir()


def test_an_open_run_is_never_swept(root: Path) -> None:
    open_tiny(root).close()
    assert sweep_staging(root) == []
    assert [summary.id for summary in list_open_runs(root)] == [RUN_ID]


def test_staging_that_somebody_works_in_is_left_alone(root: Path) -> None:
    init_archive(root)
    with Staging(root, DISK) as staging:
        staging.write("raw/x", [b"x"])
        assert sweep_staging(root) == []
        staging.settle()
    with open_tiny(root) as run:
        answer_all(run)
        seal_run(run, sealed_at=SEALED_AT)
    assert sweep_staging(root) == []


class Meddling(Disk):
    """A disk on which something happens once, before or after a folder is opened below another, or that of a name."""

    def __init__(
        self,
        *,
        before: Callable[[str], object] | None = None,
        after: Callable[[str], object] | None = None,
        at: str | None = None,
    ) -> None:
        self.before, self.after, self.at = before, after, at

    def open_folder(self, name: str, folder: int | None = None) -> int:
        if folder is None or self.at not in (None, name):
            return super().open_folder(name, folder)
        before, self.before = self.before, None
        if before is not None:
            before(name)
        opened = super().open_folder(name, folder)
        after, self.after = self.after, None
        if after is not None:
            after(name)
        return opened


def meddle(moment: str, what: Callable[[str], object]) -> Meddling:
    return Meddling(before=what) if moment == "before" else Meddling(after=what)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_staging_that_is_swept_before_it_is_marked_is_made_again(moment: str, root: Path) -> None:
    init_archive(root)
    swept = []
    disk = meddle(moment, lambda _name: swept.extend(sweep_staging(root)))
    with Staging(root, disk) as staging:
        staging.write("raw/x", [b"x"])
        assert sweep_staging(root) == []
        staging.settle()
    assert len(swept) == 1


def test_staging_that_a_sweep_has_in_its_hands_is_made_again(root: Path) -> None:
    init_archive(root)
    hands = []

    def take(name: str) -> None:
        hands.append(os.open(root / ".staging" / name, os.O_RDONLY))
        assert mark_in_use(hands[0])

    with Staging(root, Meddling(after=take)) as staging:
        os.close(hands[0])
        staging.write("raw/x", [b"x"])
        assert sweep_staging(root) == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_what_goes_away_while_staging_is_swept_is_no_trouble(moment: str, root: Path) -> None:
    init_archive(root)
    for name in ("a" * 32, "b" * 32):
        (root / ".staging" / name / "raw").mkdir(parents=True)
    disk = meddle(moment, lambda name: shutil.rmtree(root / ".staging" / name))
    assert sweep_staging(root, disk=disk) == ["b" * 32]
    assert list((root / ".staging").iterdir()) == []


def test_an_open_run_is_removed_though_a_sweep_takes_its_files(root: Path) -> None:
    run = open_tiny(root)
    run.disk = Meddling(before=lambda name: shutil.rmtree(next((root / ".staging").glob("gone-*")) / name), at="axes")
    run.discard()
    assert list((root / ".staging").iterdir()) == []
