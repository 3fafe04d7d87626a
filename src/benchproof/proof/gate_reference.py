"""The reference of a gate: a committed file ``{run, sha256}`` that names a sealed run by the digest of its manifest.

Laws: a run of another digest is never taken for the reference; a file that says anything else is refused, since a
word that nobody reads (a margin, a level) would be taken for one that counts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchproof.archive import HandleError, SealedRun, load_run, reference_path
from benchproof.canon import CanonError, canonical, parse
from benchproof.proof.errors import GateReferenceError, NotIntactError
from benchproof.proof.verify import SoundRun, require_sound

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_BYTES = 2**16
_SHAPE = '{"run": id, "sha256": 64 lower-case hex digits}'


@dataclass(frozen=True, slots=True)
class GateReference:
    """A sealed run by its id and the SHA-256 of its manifest."""

    run: str
    sha256: str


def write_gate_reference(run: SealedRun) -> bytes:
    """The bytes of the file that names ``run``."""
    return canonical({"run": run.id, "sha256": run.sha256}) + b"\n"


def read_gate_reference(path: Path) -> GateReference:
    """The reference that a file names."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GateReferenceError(
            "the reference cannot be read",
            place=str(path),
            got=error.strerror or str(error),
            hint=f"`benchproof gate RUN --write-reference {path}` writes one.",
        ) from error
    try:
        document = parse(data.strip(b" \t\r\n"), max_bytes=_MOST_BYTES, place=str(path))
    except CanonError as error:
        raise GateReferenceError(
            f"the reference is no strict JSON: {error.what}", place=error.place, got=error.got
        ) from error
    if not isinstance(document, dict) or set(document) != {"run", "sha256"}:
        got = f"the keys {', '.join(sorted(document)) or 'none'}" if isinstance(document, dict) else "no object"
        raise GateReferenceError("this is no reference of a gate", place=str(path), got=got, expected=_SHAPE)
    run, sha256 = document["run"], document["sha256"]
    if not isinstance(run, str) or not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        raise GateReferenceError(
            "this is no reference of a gate", place=str(path), got=f"{run!r} and {sha256!r}", expected=_SHAPE
        )
    return GateReference(run, sha256)


def require_reference(
    root: Path, reference: GateReference, *, place: str, expect: Mapping[str, str] | None = None
) -> SoundRun:
    """The run that a reference names, verified; ``place`` is the file's. It counts as a reference from outside.

    Raises:
        GateReferenceError: The archive has no run of this id.
        NotIntactError: It has one of another digest, or one that does not hold.
    """
    try:
        run = load_run(root, reference.run)
    except HandleError as error:
        raise _find_no_run(root, reference, place) from error
    if run.id != reference.run:
        raise _find_no_run(root, reference, place)
    if run.sha256 != reference.sha256:
        raise NotIntactError(
            "the archive's run is not the one that the reference names",
            place=f"{place}: {reference.run}",
            got=run.sha256,
            expected=reference.sha256,
            hint="Bring that run back, or move the reference on purpose: benchproof gate RUN --write-reference FILE",
        )
    return require_sound(root, run.id, expect={reference_path(run.id): reference.sha256, **(expect or {})})


def _find_no_run(root: Path, reference: GateReference, place: str) -> GateReferenceError:
    return GateReferenceError(
        "the archive does not hold the run that the reference names",
        place=place,
        got=reference.run,
        expected=f"a run in {root}",
        hint=f"Bring its folder back to runs/{reference.run}",
    )
