"""An empty folder was added."""

from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    (find_run(root) / "raw/empty").mkdir()
