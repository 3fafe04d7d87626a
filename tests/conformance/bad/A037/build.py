"""A record that is not canonical."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.space_out("records/reading.en.ndjson")
    forgery.save()
