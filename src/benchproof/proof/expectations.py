"""References kept outside an archive: the only thing that shows a consistent rewrite (contract-archive.md §5).

The file is canonical JSON ``{"kind":"expect","references":{path: sha256},"schema_version":1}``; paths are below the
archive's root.
"""

import re
from pathlib import Path
from typing import Any

from benchproof.archive import list_references
from benchproof.canon import CanonError, canonical, parse
from benchproof.proof.errors import ExpectFileError

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_BYTES = 64 * 2**20


def write_expect(root: Path, path: Path) -> dict[str, str]:
    """Write the digests of all run manifests to ``path``, to be kept elsewhere; returns them.

    What the file notes already stays: a digest that the archive no longer has, or has otherwise, is an error, so that a
    reference is never replaced by what it should have caught.
    """
    references = list_references(root)
    noted = read_expect(path) if path.exists() else {}
    for place, sha256 in sorted(noted.items()):
        if references.get(place) != sha256:
            raise ExpectFileError(
                "the file notes another digest than the archive has now; it was left as it is",
                place=f"{path}: {place}",
                got=references.get(place, "nothing there any more"),
                expected=sha256,
                hint="Look at what changed: benchproof verify --expect FILE. Then choose another file name",
            )
    document = {"schema_version": 1, "kind": "expect", "references": references}
    try:
        path.write_bytes(canonical(document) + b"\n")
    except OSError as error:
        raise ExpectFileError(
            "the file cannot be written", place=str(path), got=error.strerror or str(error)
        ) from error
    return references


def read_expect(path: Path) -> dict[str, str]:
    """SHA-256 by path, as ``verify_paths`` takes them for ``expect``."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ExpectFileError(
            "the file of references cannot be read",
            place=str(path),
            got=error.strerror or str(error),
            hint="`benchproof verify --write-expect FILE` writes one.",
        ) from error
    try:
        document = parse(data.removesuffix(b"\n"), max_bytes=_MAX_BYTES, place=str(path))
    except CanonError as error:
        raise ExpectFileError(
            f"the file of references is no strict JSON: {error.what}", place=error.place, got=error.got
        ) from error
    references = document.get("references") if isinstance(document, dict) else None
    if not isinstance(references, dict) or document.get("kind") != "expect" or document.get("schema_version") != 1:
        raise ExpectFileError(
            "this is no file of references",
            place=str(path),
            expected='{"kind":"expect","references":{path: sha256},"schema_version":1}',
            hint="benchproof verify --write-expect FILE writes one",
        )
    for place, sha256 in references.items():
        _check_reference(path, place, sha256)
    return references


def _check_reference(path: Path, place: str, sha256: Any) -> None:
    if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        raise ExpectFileError(
            "a reference is no SHA-256", place=f"{path}: {place}", got=repr(sha256), expected="64 lower-case hex digits"
        )
