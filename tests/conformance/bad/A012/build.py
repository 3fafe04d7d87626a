"""A file where runs stand."""

from pathlib import Path


def spoil(root: Path) -> None:
    (root / "runs/results.json").write_text("{}")
