"""A log-probability was taken out of a raw line."""

from pathlib import Path

from archive.forging import READING, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.edit_raw(READING, lambda raw: raw["candidates"][0]["token_logprobs"].pop())
    forgery.save()
