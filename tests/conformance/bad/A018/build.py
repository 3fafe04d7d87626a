"""The list of files is not by path."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.manifest["files"].reverse()
    forgery.save()
