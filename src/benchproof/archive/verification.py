"""Verify sealed runs: intact (the bytes are those sealed) and recomputed (the records follow from the answers).

Laws kept (contract-archive §5): all errors are found and sorted, never only the first; nothing is written; what
cannot be read is no verdict; the report says against how many digests from outside it compared, 0 included. What this
does not show: that the model said this, and a consistent rewrite where no digest was kept outside.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from benchproof.archive.content_check import ContentCheck, check_axis_contents
from benchproof.archive.errors import ArchiveError, DamagedError, StorageError
from benchproof.archive.file_check import Progress, check_entries, check_files, list_entries
from benchproof.archive.imported_check import check_imported_axis
from benchproof.archive.layout import MANIFEST, RUNS, STORE_BYTES, STORE_FILE, check_store, is_other_layout
from benchproof.archive.names import axis_key_of, files_of_axis, files_of_imported_axis, is_imported
from benchproof.archive.rules.files import a024_symbolic_link, a027_cannot_read
from benchproof.archive.rules.layout import (
    a010_store_file,
    a011_unknown_at_root,
    a012_run_folder_name,
    a013_run_names_clash,
)
from benchproof.archive.rules.manifest import (
    a014_manifest_missing,
    a015_manifest_canonical,
    a016_manifest_shape,
    a017_manifest_id,
    a018_file_list,
    a048_partial,
    a049_files_of_axes,
)
from benchproof.archive.rules.references import a044_expected_digest, a045_expected_missing
from benchproof.archive.sealed_run import RunFolder, RunPlace, find_run_folder
from benchproof.archive.walking import Entry, Folder, hash_beneath, list_beneath, opened_folder, read_beneath
from benchproof.canon import parse, sha256_hex
from benchproof.errors import ExitCode
from benchproof.records.run import AxisOfRun, RunManifest
from benchproof.rulebook import Finding, Severity, has_errors

_NO_VERDICT = frozenset({"A027", "A028"})


def judge_findings(findings: Iterable[Finding]) -> ExitCode:
    """0 where no finding is an error; 1 where one is evidence against the run; 4 where something could not be read."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if any(finding.code not in _NO_VERDICT for finding in errors):
        return ExitCode.NO
    return ExitCode.CANNOT_TELL if errors else ExitCode.YES


@dataclass(frozen=True, slots=True)
class RunVerification:
    """What was found in one run. ``sha256`` is of its manifest, ``None`` where that cannot be read.

    ``files``: files compared with the manifest; ``records_recomputed``: records that followed from axis, item and raw
    line; ``compared_with``: digests from outside that were compared.
    """

    id: str
    sha256: str | None
    findings: tuple[Finding, ...]
    files: int
    records_recomputed: int
    compared_with: int

    @property
    def is_intact(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.findings)

    @property
    def exit_code(self) -> ExitCode:
        """The verdict as an exit code."""
        return judge_findings(self.findings)


@dataclass(frozen=True, slots=True)
class ArchiveVerification:
    """What was found in an archive: ``findings`` of its folder and of digests from outside, then its runs by id."""

    findings: tuple[Finding, ...]
    runs: tuple[RunVerification, ...]
    compared_with: int

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Every finding, sorted."""
        return tuple(sorted([*self.findings, *(finding for run in self.runs for finding in run.findings)], key=_order))

    @property
    def is_intact(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.all_findings)

    @property
    def exit_code(self) -> ExitCode:
        """The verdict as an exit code."""
        return judge_findings(self.all_findings)


def verify_run(
    root: Path, handle: str, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
) -> RunVerification:
    """Verify one sealed run, given by id, unique prefix or path.

    ``expect``: SHA-256 by path below the archive, as ``list_references`` gives them; those of this run are compared.
    ``progress`` is told of each file and the bytes just read.
    """
    return verify_run_at(find_run_folder(root, handle), expect=expect, progress=progress)


def verify_run_at(
    place: RunPlace,
    *,
    expect: Mapping[str, str] | None = None,
    left_out: frozenset[str] = frozenset(),
    progress: Progress | None = None,
) -> RunVerification:
    """Verify the run that stands there; the files ``left_out`` are not looked for, nor is what follows from them."""
    return _verify_folder(place, expect or {}, progress, left_out)


def verify_archive(
    root: Path, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
) -> ArchiveVerification:
    """Verify the folder of an archive and every run in it; ``LayoutError`` where it is of another layout."""
    expect = expect or {}
    findings: list[Finding] = []
    with opened_folder(root, (), str(root)) as folder:
        top = list_beneath(folder, str(root))
        store = next((entry for entry in top if entry.path == STORE_FILE and entry.kind == "file"), None)
        findings += _check_store_file(root, folder, is_there=store is not None)
        findings += a011_unknown_at_root(top)
        findings += a024_symbolic_link("", top)
    runs: list[Entry] = []
    if any(entry.path == RUNS and entry.kind == "folder" for entry in top):
        try:
            with opened_folder(root, (RUNS,), RUNS) as folder:
                runs = list_beneath(folder, RUNS)
        except StorageError as error:
            findings += a027_cannot_read(error.place or RUNS, error.what)
    findings += a012_run_folder_name(runs)
    findings += a013_run_names_clash(runs)
    findings += a024_symbolic_link(RUNS, runs)
    verified = tuple(
        _verify_folder(RunFolder(root, (RUNS, entry.path)), expect, progress)
        for entry in runs
        if entry.kind == "folder"
    )
    # What is noted of a run that can be read is that run's own finding; the rest is the archive's.
    compared = {reference_path(run.id) for run in verified if run.sha256 is not None}
    with opened_folder(root, (), str(root)) as folder:
        findings += _compare_references(folder, {path: expect[path] for path in expect.keys() - compared})
    return ArchiveVerification(tuple(sorted(findings, key=_order)), verified, len(expect))


def _check_store_file(root: Path, folder: int, *, is_there: bool) -> Iterable[Finding]:
    try:
        data = read_beneath(folder, STORE_FILE, STORE_FILE, limit=STORE_BYTES) if is_there else None
        if data is not None and is_other_layout(data):
            check_store(root)
        return a010_store_file(data)
    except StorageError as error:
        return a027_cannot_read(STORE_FILE, error.what)
    except DamagedError:
        return a010_store_file(None)


def reference_path(run_id: str) -> str:
    """The path under which a run's manifest is noted outside: below the archive's root."""
    return f"{RUNS}/{run_id}/{MANIFEST}"


def list_references(root: Path, *, on_damage: Callable[[str, ArchiveError], None] | None = None) -> dict[str, str]:
    """SHA-256 of every run manifest by its path below the archive: to be kept outside, and given back as ``expect``.

    A manifest that cannot be read is an error; with ``on_damage`` it is reported there (id, error) and left out.
    """
    references = {}
    with opened_folder(root, (RUNS,), RUNS) as folder:
        for name in [entry.path for entry in list_beneath(folder, RUNS) if entry.kind == "folder"]:
            path = reference_path(name)
            try:
                references[path] = hash_beneath(folder, f"{name}/{MANIFEST}", path)[0]
            except ArchiveError as error:
                if on_damage is None:
                    raise
                on_damage(name, error)
    return references


def _verify_folder(
    folder: RunPlace, expect: Mapping[str, str], progress: Progress | None, left_out: frozenset[str] = frozenset()
) -> RunVerification:
    try:
        return _verify_open_folder(folder, expect, progress, left_out)
    except StorageError as error:  # the folder itself cannot be opened: other runs are verified all the same
        found = a027_cannot_read(f"{RUNS}/{folder.name}", error.what)
        return RunVerification(folder.name, None, tuple(found), files=0, records_recomputed=0, compared_with=0)


def _verify_open_folder(
    folder: RunPlace, expect: Mapping[str, str], progress: Progress | None, left_out: frozenset[str]
) -> RunVerification:
    place = f"{RUNS}/{folder.name}"
    findings: list[Finding] = []
    files = recomputed = compared = 0
    sha256: str | None = None
    with folder.opened() as descriptor:
        entries = list_entries(descriptor, place, findings)
        findings += check_entries(entries, place)
        manifest, sha256 = _read_manifest(descriptor, place, folder.name, entries, findings)
        reference = expect.get(reference_path(folder.name))
        if reference is not None and sha256 is not None:
            compared = 1
            findings += a044_expected_digest(reference_path(folder.name), sha256, reference)
        if manifest is not None:
            listed = {entry["path"]: entry for entry in manifest["files"] if entry["path"] not in left_out}
            check = check_files(descriptor, place, entries, listed, progress)
            findings += check.findings
            files = check.compared
            recomputed = _check_contents(descriptor, place, manifest, check.readable, findings)
    return RunVerification(folder.name, sha256, tuple(sorted(set(findings), key=_order)), files, recomputed, compared)


def _read_manifest(
    folder: Folder, place: str, name: str, entries: Iterable[Entry], findings: list[Finding]
) -> tuple[RunManifest | None, str | None]:
    where = f"{place}/{MANIFEST}"
    there = next((entry for entry in entries if entry.path in (MANIFEST, "")), None)
    if there is not None and there.kind == "unreadable":
        return None, None  # it, or the run's folder, has its finding
    findings += a014_manifest_missing(where, kind=there.kind if there else None)
    if there is None or there.kind != "file":
        return None, None
    try:
        data = read_beneath(folder, MANIFEST, where)
    except (StorageError, DamagedError) as error:
        findings += a027_cannot_read(where, error.what)
        return None, None
    sha256 = sha256_hex(data)
    faults = list(a015_manifest_canonical(where, data))
    if not faults:
        value = parse(data)
        faults = list(a016_manifest_shape(where, value))
    findings += faults
    if faults:
        return None, sha256
    manifest = cast("RunManifest", value)
    findings += a017_manifest_id(where, manifest, name)
    findings += a048_partial(where, manifest)
    findings += a049_files_of_axes(where, manifest)
    findings += a018_file_list(where, manifest)
    return manifest, sha256


def _check_contents(
    folder: Folder, place: str, manifest: RunManifest, readable: frozenset[str], findings: list[Finding]
) -> int:
    recomputed = 0
    for stated in manifest["axes"]:
        key = axis_key_of(stated)
        check_axis = _find_check(stated, key, readable)
        if check_axis is not None:
            try:
                check = check_axis(folder, place, key, stated)
            except (StorageError, DamagedError) as error:
                findings += a027_cannot_read(error.place or place, error.what)
                continue
            findings += check.findings
            recomputed += check.recomputed
    return recomputed


def _find_check(
    stated: AxisOfRun, axis_key: str, readable: frozenset[str]
) -> Callable[[Folder, str, str, AxisOfRun], ContentCheck] | None:
    """What checks the contents of an axis; ``None`` where its files are not all readable, which has its finding."""
    if is_imported(stated):
        return check_imported_axis if files_of_imported_axis(axis_key) <= readable else None
    is_complete = "resolved" in stated["protocol"] and files_of_axis(axis_key) <= readable
    return check_axis_contents if is_complete else None


def _compare_references(folder: int, expect: Mapping[str, str]) -> list[Finding]:
    findings: list[Finding] = []
    for path, expected in sorted(expect.items()):
        try:
            got, _ = hash_beneath(folder, path, path)
        except DamagedError:
            findings += a045_expected_missing(path, is_there=False)
        except StorageError as error:
            findings += a027_cannot_read(path, error.what)
        else:
            findings += a044_expected_digest(path, got, expected)
    return findings


def _order(finding: Finding) -> tuple[str, str, str, str, str]:
    return (finding.place, finding.code, finding.what, finding.got or "", finding.expected or "")
