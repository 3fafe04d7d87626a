"""The manifest names another metric than the axis."""

from pathlib import Path

from archive.forging import READING, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.stated(READING)["metric"] = "choice-accuracy.token"
    forgery.save()
