"""One bit of a timing is flipped."""

from pathlib import Path

from archive.forging import find_run, overwrite


def spoil(root: Path) -> None:
    path = find_run(root) / "attachments/timings.ndjson"
    data = bytearray(path.read_bytes())
    data[10] ^= 1
    overwrite(path, bytes(data))
