"""A resolved axis of another type than there is."""

from pathlib import Path

from archive.forging import READING, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_axis(READING, lambda axis: axis.update(type="essay"))
    forgery.save()
