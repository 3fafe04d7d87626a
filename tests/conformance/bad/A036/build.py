"""A raw line with a retry count: no such value belongs there."""

from pathlib import Path

from archive.forging import FACTS, Forgery

ALSO = ("A038",)  # a line of no known shape is nobody's raw line


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_raw(FACTS, lambda raw: raw.update(retries=2))
    forgery.save()
