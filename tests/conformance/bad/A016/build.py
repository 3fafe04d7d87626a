"""The manifest is of a later schema version."""

from pathlib import Path

from archive.forging import Forgery


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    forgery.manifest["schema_version"] = 2  # type: ignore[typeddict-item]
    forgery.save()
