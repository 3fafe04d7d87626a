"""The store file is of a later layout."""

from pathlib import Path


def spoil(root: Path) -> None:
    (root / "store.json").write_bytes(
        b'{"canonicalization":"rfc8785-jcs-v1","layout":"babel-data/v2","schema_version":2}'
    )
