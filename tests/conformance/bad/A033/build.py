"""A line of the items is not canonical."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.space_out("attachments/items/facts.en.ndjson")
    forgery.save()
