"""A stray file beside the store file."""

from pathlib import Path


def spoil(root: Path) -> None:
    (root / "notes.txt").write_text("mine")
