"""A FIFO stands among the attachments."""

import os
from pathlib import Path

from archive.forging import find_run


def spoil(root: Path) -> None:
    os.mkfifo(find_run(root) / "attachments/pipe")
