"""An imported record that is not canonical."""

from pathlib import Path

from archive.forging import IMPORTED, Forgery, replace_by_import


def spoil(root: Path) -> None:
    replace_by_import(root)
    forgery = Forgery(root)
    forgery.space_out(f"records/{IMPORTED}.ndjson")
    forgery.save()
