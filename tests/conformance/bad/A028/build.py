"""A file that grows while it is read."""

from pathlib import Path

from archive.forging import find_run
from benchproof.archive import Progress


def spoil(root: Path) -> None:
    assert find_run(root).is_dir()


def meddle(root: Path) -> Progress:
    """Write to the file as soon as a part of it was read."""
    path = find_run(root) / "attachments/timings.ndjson"
    path.chmod(0o644)
    stream = path.open("ab", buffering=0)

    def grow(place: str, count: int) -> None:
        if place.endswith(path.name) and count and not stream.closed:
            stream.write(b"more")
            stream.close()

    return grow
