"""An item stands twice."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    path = "attachments/items/facts.en.ndjson"
    lines = forgery.read_lines(path)
    forgery.write_lines(path, [*lines, lines[0]])
    forgery.save()
