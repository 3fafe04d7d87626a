"""A whole run calls itself partial."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.manifest["partial"] = True
    forgery.save()
