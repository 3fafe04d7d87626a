"""The model was asked something else."""

from pathlib import Path

from archive.forging import FACTS, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_raw(FACTS, lambda raw: raw.update(prompt="Say: right."))
    forgery.save()
