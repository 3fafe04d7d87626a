"""A copy of the run in capitals: one run on a system that ignores letter case."""

import shutil
from pathlib import Path

from archive.forging import find_run

ALSO = ("A017",)  # the copy has another name than its manifest


def spoil(root: Path) -> None:
    run = find_run(root)
    shutil.copytree(run, run.with_name(run.name.upper()))
