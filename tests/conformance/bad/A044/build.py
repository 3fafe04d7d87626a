"""A forged run in which everything agrees, beside a digest that somebody noted."""

from pathlib import Path

from archive.forging import Forgery
from benchproof.archive import list_references


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.manifest["model"]["revision"] = "a better one"
    forgery.save()


def note(root: Path) -> dict[str, str]:
    """Note the digests before the forgery."""
    return list_references(root)
