"""The manifest names the digest of another axis."""

from pathlib import Path

from archive.forging import READING, Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.stated(READING)["protocol"] = {"resolved": "0" * 64}
    forgery.save()
