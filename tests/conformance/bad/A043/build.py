"""An answer is missing from the counts."""

from pathlib import Path

from archive.forging import FACTS, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.stated(FACTS)["counts"] = {"answered": 3}
    forgery.save()
