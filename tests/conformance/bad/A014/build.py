"""The manifest is gone."""

from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    (find_run(root) / "manifest.json").unlink()
