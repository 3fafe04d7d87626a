"""The raw lines of an axis were taken out of manifest and folder."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    path = "raw/reading.en.ndjson"
    forgery = Forgery(root)
    (forgery.run / path).unlink()
    forgery.manifest["files"] = [entry for entry in forgery.manifest["files"] if entry["path"] != path]
    forgery.save()
