"""An imported axis that is not the one that the manifest states."""

from pathlib import Path

from archive.forging import IMPORTED, Forgery, overwrite, replace_by_import


def spoil(root: Path) -> None:
    replace_by_import(root)
    forgery = Forgery(root)
    path = forgery.run / f"attachments/axes/{IMPORTED}.json"
    overwrite(path, path.read_bytes().replace(b'"planned":4', b'"planned":5'))
    forgery.save()
