"""A file that may not be read."""

from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    (find_run(root) / "attachments/timings.ndjson").chmod(0)
