"""Seal files that another program wrote: three lines for a harness that wants its evidence kept.

    from benchproof.archive import init_archive, seal_files
    init_archive(root)
    seal_files(root, id="my-run-1", model="acme/model-7b", files=[Path("results.json")], sealed_at=now)

Bytes are stored unchanged below ``raw/``. What the caller does not state is ``unknown``: nothing is guessed.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from benchproof.archive.closing import close_manifest
from benchproof.archive.errors import ArchiveError, OpenRunError
from benchproof.archive.filesystem import DISK, Disk, storage_errors
from benchproof.archive.layout import check_store
from benchproof.archive.publishing import Staging
from benchproof.archive.run_opening import refuse_sealed
from benchproof.archive.schemas import find_misfits
from benchproof.archive.sealed_run import load_run
from benchproof.archive.sealing import SealedRef, publish_run
from benchproof.archive.verification import verify_run
from benchproof.canon import check_id

if TYPE_CHECKING:
    from benchproof.records.run import RunOpening

UNKNOWN = "unknown"
_MODEL_FACTS = ("model", "revision", "family", "variant", "backend", "runtime", "runtime_version", "quantization")


def seal_files(
    root: Path,
    *,
    id: str,  # noqa: A002 - the word of the manifest
    model: str | Mapping[str, Any],
    files: Sequence[Path] | Mapping[str, Path],
    sealed_at: str,
    created_at: str = UNKNOWN,
    harness: Mapping[str, str] | None = None,
    bench: Mapping[str, Any] | None = None,
    environment: Mapping[str, Any] | None = None,
    synthetic: bool = False,
    disk: Disk = DISK,
) -> SealedRef:
    """Seal files as a run without axes.

    Args:
        root: The archive.
        id: The run's id, new in this archive.
        model: The model's name, or what is known of ``ModelIdentity``.
        files: Files to keep under their own names, or by the path below ``raw/`` that each gets.
        sealed_at: Now, as ``2026-11-30T21:28:05Z``.
        created_at: When the run began.
        harness: ``name`` and ``version`` of what ran.
        bench: What was run, as far as it is known.
        environment: Facts about the machine and the packages.
        synthetic: Whether the answers are made up.
        disk: Where it is written.
    """
    check_store(root)
    check_id(id)
    refuse_sealed(root, id)
    opening = cast(
        "RunOpening",
        {
            "schema_version": 1,
            "id": id,
            "created_at": created_at,
            "synthetic": synthetic,
            "model": _complete_model(model),
            "axes": [],
            "bench": dict(bench or {"name": UNKNOWN, "bench_version": UNKNOWN}),
            "harness": {"name": UNKNOWN, "version": UNKNOWN, **(harness or {})},
            "environment": dict(environment or {}),
            "seeds": {},
            "options": {},
        },
    )
    misfits = find_misfits("run-opening", opening)
    if misfits:
        raise ArchiveError(f"a fact does not fit: {misfits[0].what}", place=misfits[0].pointer or "/")
    with Staging(root, disk) as staging:
        for path, source in sorted(_by_path(files).items()):
            staging.write(f"raw/{path}", _blocks(source))
        manifest = close_manifest(opening, {}, staging.files, sealed_at=sealed_at)
        return publish_run(staging, root, manifest)


def run_paths(root: Path, ids: Sequence[str]) -> list[Path]:
    """The files of these runs, manifests included, each verified: what may be copied elsewhere as evidence."""
    paths: list[Path] = []
    for run_id in ids:
        verified = verify_run(root, run_id)
        if not verified.is_intact:
            raise ArchiveError(
                f"run {verified.id} is not intact, {len(verified.findings)} findings",
                place=f"runs/{verified.id}",
                got=str(verified.findings[0]),
                hint="Verify it",
            )
        run = load_run(root, verified.id)
        paths.append(run.path / "manifest.json")
        paths.extend(run.path / entry["path"] for entry in run.manifest["files"])
    return sorted(paths)


def _complete_model(model: str | Mapping[str, Any]) -> dict[str, Any]:
    stated = {"model": model} if isinstance(model, str) else dict(model)
    name = stated.get("model", stated.get("id", UNKNOWN))
    return {**dict.fromkeys(_MODEL_FACTS, UNKNOWN), "id": name, "chat_template": UNKNOWN, **stated}


def _by_path(files: Sequence[Path] | Mapping[str, Path]) -> dict[str, Path]:
    if isinstance(files, Mapping):
        return dict(files)
    named = {path.name: path for path in files}
    if len(named) != len(files):
        raise OpenRunError(
            "two of the files have one name", place="raw/", hint="Give them as a mapping from path to file"
        )
    return named


def _blocks(source: Path) -> Iterator[bytes]:
    with storage_errors(str(source)), source.open("rb") as stream:
        while block := stream.read(1 << 20):
            yield block
