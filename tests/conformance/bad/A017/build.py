"""The run's folder was renamed."""

from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    run = find_run(root)
    run.rename(run.with_name("better-name"))
