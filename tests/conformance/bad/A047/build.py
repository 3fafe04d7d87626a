"""The prompt template asks for a field that no item has."""

from pathlib import Path

from archive.forging import READING, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_axis(READING, lambda axis: axis.update(prompt_template="{passage} {missing}"))
    forgery.save()
