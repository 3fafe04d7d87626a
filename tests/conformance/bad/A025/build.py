"""A file has a second name outside the archive."""

import os
from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    os.link(find_run(root) / "records/facts.en.ndjson", root.parent / "second-name.ndjson")
