"""A raw line holds a log-probability above 0, and the whole run was sealed anew around it."""

from pathlib import Path

from archive.forging import READING, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_raw(READING, lambda raw: raw["candidates"][0]["token_logprobs"].__setitem__(0, 0.25))
    forgery.save()
