"""A raw file has another name."""

from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    run = find_run(root)
    (run / "raw/reading.en.ndjson").rename(run / "raw/reading.de.ndjson")
