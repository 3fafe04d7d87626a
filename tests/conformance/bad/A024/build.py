"""A file is a symbolic link to the same bytes."""

from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    path = find_run(root) / "records/facts.en.ndjson"
    path.rename(root.parent / "moved.ndjson")
    path.symlink_to(root.parent / "moved.ndjson")
