"""Compare the files of a run with its manifest: each changed, missing, added, renamed or linked one is named."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from benchproof.archive.errors import ChangedWhileReadingError, DamagedError, StorageError
from benchproof.archive.layout import MANIFEST
from benchproof.archive.rules.files import (
    FileFacts,
    a020_missing_file,
    a021_added_file,
    a022_changed_file,
    a023_renamed_file,
    a024_symbolic_link,
    a025_hard_link,
    a026_special_file,
    a027_cannot_read,
    a028_changed_while_reading,
    a029_unknown_folder,
)
from benchproof.archive.walking import Entry, Folder, hash_beneath, walk_beneath
from benchproof.records.run import FileEntry
from benchproof.rulebook import Finding

Progress = Callable[[str, int], None]


class FileCheck(NamedTuple):
    """What a comparison found; ``readable`` are the listed files that stand there as regular files."""

    findings: list[Finding]
    compared: int
    readable: frozenset[str]


def list_entries(folder: Folder, place: str, findings: list[Finding]) -> list[Entry]:
    """Everything below a folder; a part that cannot be listed is a finding."""

    def report(error: StorageError) -> None:
        findings.extend(a027_cannot_read(error.place or place, error.what))

    try:
        return list(walk_beneath(folder, place, on_unreadable=report))
    except StorageError as error:
        report(error)
        return [Entry("", "unreadable", 0, 1)]


def check_entries(entries: list[Entry], place: str) -> list[Finding]:
    """What needs no manifest to be wrong: links and special files."""
    return [
        *a024_symbolic_link(place, entries),
        *a025_hard_link(place, entries),
        *a026_special_file(place, entries),
    ]


def check_files(
    folder: Folder,
    place: str,
    entries: list[Entry],
    listed: Mapping[str, FileEntry],
    progress: Progress | None,
) -> FileCheck:
    """Compare what stands below a run's folder with the list of its manifest."""
    found = {entry.path: entry for entry in entries if entry.path != MANIFEST}
    present = {path for path, entry in found.items() if entry.kind == "file"}
    blocked = {path for path in listed if _is_blocked(path, found)}
    missing = set(listed) - present - blocked
    findings: list[Finding] = []
    facts: dict[str, FileFacts] = {}
    for path in sorted(present if missing else present & set(listed)):
        seen = _hash(folder, path, place, findings, progress)
        if seen is not None:
            facts[path] = seen
    for path in sorted(facts.keys() & listed.keys()):
        findings.extend(a022_changed_file(place, listed[path], facts[path]))
    renames = _find_renames({path: listed[path] for path in missing}, facts, present - set(listed))
    findings.extend(a020_missing_file(place, listed, present | blocked, renames.keys()))
    findings.extend(a021_added_file(place, listed, present, renames.values()))
    findings.extend(a023_renamed_file(place, renames))
    findings.extend(a029_unknown_folder(place, entries, listed))
    return FileCheck(findings, len(facts.keys() & listed.keys()), frozenset(facts.keys() & listed.keys()))


def _hash(
    folder: Folder, path: str, place: str, findings: list[Finding], progress: Progress | None
) -> FileFacts | None:
    where = f"{place}/{path}"
    try:
        return FileFacts(*hash_beneath(folder, path, where, lambda count: progress(where, count) if progress else None))
    except ChangedWhileReadingError as error:
        findings.extend(a028_changed_while_reading(where, error.got, error.expected))
    except (StorageError, DamagedError) as error:
        findings.extend(a027_cannot_read(where, error.what))
    return None


def _is_blocked(path: str, found: Mapping[str, Entry]) -> bool:
    """Whether something else than a file or folder stands at the path or above it: it has a finding of its own."""
    while path:
        entry = found.get(path)
        if entry is not None and entry.kind in ("link", "special", "unreadable"):
            return True
        path = path.rpartition("/")[0]
    return "" in found


def _find_renames(missing: Mapping[str, FileEntry], facts: Mapping[str, FileFacts], added: set[str]) -> dict[str, str]:
    by_facts: dict[FileFacts, list[str]] = {}
    for path in sorted(added & facts.keys(), reverse=True):
        by_facts.setdefault(facts[path], []).append(path)
    renames: dict[str, str] = {}
    for old in sorted(missing):
        if same := by_facts.get(FileFacts(missing[old]["sha256"], missing[old]["bytes"])):
            renames[old] = same.pop()
    return renames
