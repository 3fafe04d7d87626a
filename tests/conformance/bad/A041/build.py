"""An answer was made right in its record."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_line("records/facts.en.ndjson", lambda record: record.update(answer="3"))
    forgery.save()
