"""A record whose key was altered, with every digest brought up to date."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_line("records/colours.und.ndjson", lambda record: record.update(gold=[2]))
    forgery.save()
