"""Import: from files of unknown origin to sealed runs whose records follow from the kept bytes.

    found ──detect──► logs ──keep──► kept bytes ──read──► axes and records ──seal──► run

Laws kept (contract-proof, import): the format is told by content; the original bytes are kept unchanged; records are
read from the kept bytes; the same log imported again is found and nothing is written; nothing imported is a failure.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from benchproof.archive import Intake, RunExistsError, SealedRef, SealedRun, load_run
from benchproof.archive.errors import HandleError
from benchproof.archive.filesystem import DISK, Disk
from benchproof.canon import sha256_hex
from benchproof.interop.detection import FoundLog, detect_logs, list_formats
from benchproof.interop.errors import ChangedLogError, InteropError, NoLogError
from benchproof.interop.examining import examine_run
from benchproof.interop.foreign_run import UNKNOWN, ForeignAxis, ForeignRun
from benchproof.interop.log_files import LogFile, Skipped, find_files
from benchproof.interop.names import name_imported_run, name_kept_files
from benchproof.interop.shapes import each_in_shape, expected_shape
from benchproof.records.run import AxisOfRun, FileEntry, RunOpening
from benchproof.rulebook import Finding

_MODEL_FACTS = (
    "revision",
    "family",
    "variant",
    "backend",
    "runtime",
    "runtime_version",
    "quantization",
    "chat_template",
)

Progress = Callable[[str, int], None]
"""Told what is read, and how many records of it were just read."""


@dataclass(frozen=True, slots=True)
class ImportedLog:
    """One log that was imported. ``is_new`` is false where the archive had it already."""

    run_id: str
    sha256: str
    is_new: bool
    partial: bool
    format: str
    harness: str
    files: tuple[str, ...]
    axes: int
    items: int
    findings: tuple[Finding, ...]


class RefusedLog(NamedTuple):
    """One log that was recognised and could not be imported."""

    format: str
    files: tuple[str, ...]
    error: InteropError


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of every file that was given."""

    logs: tuple[ImportedLog, ...]
    refused: tuple[RefusedLog, ...]
    unknown: tuple[str, ...]
    skipped: tuple[Skipped, ...]


def import_logs(
    root: Path,
    paths: Sequence[Path],
    *,
    sealed_at: str,
    version: str,
    wrapped: dict[str, Any] | None = None,
    progress: Progress | None = None,
    disk: Disk = DISK,
) -> ImportReport:
    """Import every log that the paths name or hold.

    Args:
        root: The archive.
        paths: Files and folders.
        sealed_at: Now, as ``2026-11-30T21:28:05Z``.
        version: Of benchproof; it stands in ``imported_from``.
        wrapped: Facts about the command that wrote the logs, where it was run for this import.
        progress: Told of records as they are read.
        disk: Where it is written.

    Raises:
        NoLogError: No file is a log of a known format.
    """
    files, skipped = find_files(paths)
    detection = detect_logs(files)
    unknown = tuple(file.name for file in detection.unknown)
    if not detection.logs:
        raise NoLogError(
            "nothing to import: no file is a log of a known format",
            place=", ".join(str(path) for path in paths),
            got=f"{len(files)} files, {len(skipped)} passed over",
            expected="logs of " + ", ".join(list_formats()),
            hint="Name the folder that the harness wrote.",
        )
    logs: list[ImportedLog] = []
    refused: list[RefusedLog] = []
    for log in detection.logs:
        names = tuple(file.name for file in log.files)
        try:
            logs.append(_import_log(root, log, sealed_at, version, wrapped, progress, disk))
        except InteropError as error:
            refused.append(RefusedLog(log.reader.format, names, error))
    return ImportReport(tuple(logs), tuple(refused), unknown, tuple(skipped))


def _import_log(
    root: Path,
    log: FoundLog,
    sealed_at: str,
    version: str,
    wrapped: dict[str, Any] | None,
    progress: Progress | None,
    disk: Disk,
) -> ImportedLog:
    with Intake(root, disk=disk) as intake:
        files, origin = _keep_files(intake, log)
        with expected_shape(log.files[0].name):
            foreign = log.reader.read(files)
        run_id = name_imported_run(log.reader.format, str(foreign.model.get("model", "")), intake.kept)
        if (known := _find_known(root, run_id)) is not None:
            return _describe(log, known, _refer(known), examine_run(known), is_new=False)
        for axis in foreign.axes:
            intake.add_axis(axis.axis, state_axis(foreign, axis), _count(axis, progress))
        origin |= {"format": log.reader.format, "harness_version": foreign.harness_version, "importer": version}
        if wrapped:
            origin["wrapped"] = wrapped
        try:
            sealed = intake.seal(_open_run(run_id, foreign, origin), sealed_at=sealed_at)
        except RunExistsError:  # another process imported the same log meanwhile
            known = load_run(root, run_id)
            return _describe(log, known, _refer(known), examine_run(known), is_new=False)
    run = load_run(root, sealed.id)
    return _describe(log, run, sealed, examine_run(run, read=foreign.findings), is_new=True)


def _keep_files(intake: Intake, log: FoundLog) -> tuple[list[LogFile], dict[str, Any]]:
    """Keep every file of a log; the kept files to be read, and where each came from."""
    kept_names = name_kept_files([file.name for file in log.files])
    files: list[LogFile] = []
    origin: list[dict[str, Any]] = []
    for file in log.files:
        with file.opened() as stream:
            entry = intake.keep(kept_names[file.name], stream)
        if entry["bytes"] != file.size:
            raise ChangedLogError(
                "the file changed while it was being imported",
                place=file.name,
                got=f"{entry['bytes']:,} bytes",
                expected=f"{file.size:,} bytes, as when it was found",
                hint="Import it again when the harness has ended.",
            )
        files.append(LogFile(file.name, entry["bytes"], _kept_opener(intake, entry), entry["path"]))
        origin.append({"name": file.name, **entry})
    return files, {"files": origin}


def _kept_opener(intake: Intake, entry: FileEntry) -> Callable[[], AbstractContextManager[BinaryIO]]:
    return lambda: intake.opened(entry["path"])


def _find_known(root: Path, run_id: str) -> SealedRun | None:
    try:
        return load_run(root, run_id)
    except HandleError:
        return None


def _refer(run: SealedRun) -> SealedRef:
    return SealedRef(run.id, run.sha256, run.path, run.manifest["partial"])


def state_axis(foreign: ForeignRun, axis: ForeignAxis) -> AxisOfRun:
    """What the manifest says of an axis, but for what sealing fills in."""
    imported = axis.axis
    setting = {"harness": f"{foreign.harness}@{foreign.harness_version}", **axis.setting}
    setting["items"] = axis.selection
    return cast(
        "AxisOfRun",
        {
            "axis": imported["axis"],
            "language": imported["language"],
            "script": imported["script"],
            "dataset": imported["dataset"],
            "benchmark": imported["benchmark"],
            "metric": imported["metric"],
            "protocol": {},
            "strict": False,
            "setting": {key: value for key, value in setting.items() if value != UNKNOWN},
            "items": {"planned": imported["planned"], "selection": axis.selection, "digest": sha256_hex(b"")},
            "counts": {},
        },
    )


def _count(axis: ForeignAxis, progress: Progress | None) -> Iterator[Any]:
    for record in each_in_shape(axis.records(), axis.axis["task"]):
        yield record
        if progress is not None:
            progress(axis.axis["task"], 1)


def _open_run(run_id: str, foreign: ForeignRun, origin: dict[str, Any]) -> RunOpening:
    name = str(foreign.model.get("model") or UNKNOWN)
    return {
        "schema_version": 1,
        "id": run_id,
        "created_at": foreign.created_at,
        "synthetic": foreign.synthetic,
        "model": cast("Any", {"id": name, "model": name, **dict.fromkeys(_MODEL_FACTS, UNKNOWN), **foreign.model}),
        "axes": [],
        "bench": {"name": foreign.title, "bench_version": foreign.bench_version},
        "harness": {"name": foreign.harness, "version": foreign.harness_version},
        "environment": foreign.environment,
        "seeds": foreign.seeds,
        "options": {},
        "imported_from": origin,
    }


def _describe(
    log: FoundLog, run: SealedRun, sealed: SealedRef, findings: Sequence[Finding], *, is_new: bool
) -> ImportedLog:
    return ImportedLog(
        run_id=run.id,
        sha256=sealed.sha256,
        is_new=is_new,
        partial=sealed.partial,
        format=log.reader.format,
        harness=f"{run.manifest['harness']['name']} {run.manifest['harness']['version']}",
        files=tuple(file.name for file in log.files),
        axes=len(run.axis_keys),
        items=sum(sum(run.axis_of_run(key)["counts"].values()) for key in run.axis_keys),
        findings=tuple(findings),
    )
