"""A record names another raw line."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_line("records/reading.en.ndjson", lambda record: record.update(raw_sha256="0" * 64))
    forgery.save()
