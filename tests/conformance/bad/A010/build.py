"""The store file names another canonical form."""

from pathlib import Path


def spoil(root: Path) -> None:
    (root / "store.json").write_bytes(b'{"canonicalization":"sorted-keys","layout":"babel-data/v1","schema_version":1}')
