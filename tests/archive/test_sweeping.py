import os
from pathlib import Path

from archive.samples import RUN_ID, SEALED_AT, answer_all, open_tiny
from benchproof.archive import init_archive, list_open_runs, seal_run, sweep_staging
from benchproof.archive.filesystem import DISK
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
