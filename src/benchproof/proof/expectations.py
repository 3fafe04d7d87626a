"""References kept outside an archive: the only thing that shows a consistent rewrite (contract-archive §5).

The file is canonical JSON ``{"kind":"expect","references":{path: sha256},"schema_version":1}``; paths are below the
archive's root.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchproof.archive import SealedRun, list_references, reference_path
from benchproof.canon import CanonError, canonical, parse
from benchproof.proof.errors import ExpectFileError, NotIntactError

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_BYTES = 64 * 2**20


def write_expect(root: Path, path: Path, runs: Mapping[str, str] | None = None) -> dict[str, str]:
    """Write the digests of run manifests to ``path``, to be kept elsewhere; returns all that the file notes now.

    ``runs``: manifest digests by run id, as they were verified; every run of the archive where it is ``None``.

    What the file notes already stays: a digest that the archive no longer has, or has otherwise, is an error, so that a
    reference is never replaced by what it should have caught.
    """
    references = list_references(root, on_damage=None if runs is None else lambda _run_id, _error: None)
    noted = _read_noted(path)
    wanted = references if runs is None else {reference_path(run_id): sha256 for run_id, sha256 in runs.items()}
    for place, sha256 in sorted(wanted.items()):
        if references.get(place) != sha256:
            raise ExpectFileError(
                "the archive does not hold this run; nothing was written",
                place=f"{root}: {place}",
                got=references.get(place, "no such run"),
                expected=sha256,
                hint="References are of one archive: name the run's own with --archive",
            )
    for place, sha256 in sorted(noted.items()):
        if references.get(place) != sha256:
            raise ExpectFileError(
                "the file notes another digest than the archive has now; it was left as it is",
                place=f"{path}: {place}",
                got=references.get(place, "nothing there any more"),
                expected=sha256,
                hint="Look at what changed: benchproof verify --expect FILE. Then choose another file name",
            )
    noted |= wanted
    document = {"schema_version": 1, "kind": "expect", "references": noted}
    try:
        _replace_whole(path, canonical(document) + b"\n")
    except OSError as error:
        raise ExpectFileError(
            "the file cannot be written", place=str(path), got=error.strerror or str(error)
        ) from error
    return noted


def _read_noted(path: Path) -> dict[str, str]:
    """What the file notes already; what stands there and is no file (a pipe, a device) is left alone."""
    if not path.exists():
        return {}
    if not path.is_file():
        raise ExpectFileError("references are written to a regular file", place=str(path))
    return read_expect(path)


def _replace_whole(path: Path, data: bytes) -> None:
    """Put ``data`` in the file's place, or leave what it notes as it is: a disk may be full. A link stays one."""
    target = Path(os.path.realpath(path))  # unlike resolve(), not stopped by a link to itself
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def compare_manifest(run: SealedRun, expect: Mapping[str, str]) -> int:
    """Compare a run's manifest alone with what was noted outside; how many references that were, 0 or 1.

    Raises:
        NotIntactError: Another digest was noted.
    """
    place = reference_path(run.path.name)
    noted = expect.get(place)
    if noted is None:
        return 0
    if noted != run.sha256:
        raise NotIntactError(
            "the run is not the one whose digest was noted outside",
            place=place,
            got=run.sha256,
            expected=noted,
            hint=f"See all of it: benchproof verify {run.id} --expect FILE",
        )
    return 1


def read_expect(path: Path) -> dict[str, str]:
    """SHA-256 by path, as ``verify_paths`` takes them for ``expect``."""
    try:
        with path.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ExpectFileError(
            "the file of references cannot be read",
            place=str(path),
            got=error.strerror or str(error),
            hint="`benchproof verify --write-expect FILE` writes one.",
        ) from error
    if len(data) > _MAX_BYTES:
        raise ExpectFileError(
            "this file is too long to be one of references",
            place=str(path),
            got="more",
            expected=f"at most {_MAX_BYTES:,} bytes",
        )
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
