"""A wrong answer was made right in its record."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_line("records/reading.en.ndjson", lambda record: record.update(correct=not record["correct"]))
    forgery.save()
