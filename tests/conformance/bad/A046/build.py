"""The journal of an open run ends in the middle of a line."""

from pathlib import Path

from archive.samples import answer_all, open_tiny


def spoil(root: Path) -> None:
    with open_tiny(root, run_id="torn") as run:
        answer_all(run, limit=3)
    path = run.path / "journal"
    path.write_bytes(path.read_bytes()[:-20])
