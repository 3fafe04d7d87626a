"""Rules about the files of a run: each as it was sealed, and no other (contract-archive §4, §5)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from benchproof.archive.walking import Entry
from benchproof.records.run import FileEntry
from benchproof.rulebook import Finding, Severity

_KNOWN_FOLDERS = frozenset({"raw", "records", "attachments"})


class FileFacts(NamedTuple):
    """What is on disk under a path."""

    sha256: str
    size: int


def a020_missing_file(
    place: str, listed: Mapping[str, FileEntry], present: Collection[str], moved: Collection[str]
) -> Iterator[Finding]:
    """Every listed file is there. One that was renamed is named by A023 instead."""
    for path in sorted(set(listed) - set(present) - set(moved)):
        yield Finding(f"{place}/{path}", "A020", "the file is missing", hint="Restore it from a copy")


def a021_added_file(
    place: str, listed: Mapping[str, FileEntry], present: Iterable[str], moved: Collection[str]
) -> Iterator[Finding]:
    """No file is there that the manifest does not list."""
    for path in sorted(set(present) - set(listed) - set(moved)):
        yield Finding(f"{place}/{path}", "A021", "the manifest does not list this file", hint="Move it out of the run")


def a022_changed_file(place: str, entry: FileEntry, facts: FileFacts) -> Iterator[Finding]:
    """A file has the bytes that were sealed."""
    if (facts.sha256, facts.size) == (entry["sha256"], entry["bytes"]):
        return
    if not facts.size:
        what = "the file is empty, as a power cut leaves it"
    elif facts.size < entry["bytes"]:
        what = "the file changed and is shorter than what was sealed"
    elif facts.size > entry["bytes"]:
        what = "the file changed and is longer than what was sealed"
    else:
        what = "the file changed and kept its size"
    yield Finding(
        f"{place}/{entry['path']}",
        "A022",
        what,
        got=f"{facts.size} bytes, sha256 {facts.sha256}",
        expected=f"{entry['bytes']} bytes, sha256 {entry['sha256']}",
        hint="Restore it from a copy",
    )


def a023_renamed_file(place: str, renames: Mapping[str, str]) -> Iterator[Finding]:
    """No file was renamed: the bytes of a missing file under a name that is not listed. ``renames``: old → new."""
    for old, new in sorted(renames.items()):
        yield Finding(f"{place}/{new}", "A023", "the file was renamed", got=new, expected=old)


def a024_symbolic_link(place: str, entries: Iterable[Entry]) -> Iterator[Finding]:
    """Nothing is a symbolic link, not even one to the same bytes."""
    for entry in entries:
        if entry.kind == "link":
            yield Finding(
                f"{place}/{entry.path}".lstrip("/"), "A024", "a symbolic link", expected="a regular file or folder"
            )


def a025_hard_link(place: str, entries: Iterable[Entry]) -> Iterator[Finding]:
    """No file has a second name, through which it could be changed."""
    for entry in entries:
        if entry.kind == "file" and entry.links > 1:
            yield Finding(
                f"{place}/{entry.path}",
                "A025",
                "the file has another name elsewhere: a write there changes it here",
                got=f"{entry.links} hard links",
                severity=Severity.WARNING,
            )


def a026_special_file(place: str, entries: Iterable[Entry]) -> Iterator[Finding]:
    """Nothing is a FIFO, a socket or a device."""
    for entry in entries:
        if entry.kind == "special":
            yield Finding(
                f"{place}/{entry.path}", "A026", "a FIFO, a socket or a device", expected="a regular file or folder"
            )


def a027_cannot_read(place: str, reason: str) -> Iterator[Finding]:
    """What cannot be read is not verified, and neither missing nor wrong."""
    yield Finding(place, "A027", f"cannot be read: {reason}", hint="No verdict on its content")


def a028_changed_while_reading(place: str, got: str | None, expected: str | None) -> Iterator[Finding]:
    """A file that somebody writes to is not verified."""
    yield Finding(
        place, "A028", "the file changed while it was read", got=got, expected=expected, hint="Verify again later"
    )


def a029_unknown_folder(place: str, entries: Collection[Entry], listed: Iterable[str]) -> Iterator[Finding]:
    """No folder is there that holds none of the listed files."""
    needed = set(_KNOWN_FOLDERS)
    for path in listed:
        parts = path.split("/")[:-1]
        needed.update("/".join(parts[: end + 1]) for end in range(len(parts)))
    for entry in entries:
        if entry.kind == "folder" and entry.path not in needed:
            yield Finding(f"{place}/{entry.path}", "A029", "a folder without any listed file")
