"""Rules about a run's manifest as a document (contract-archive §7)."""

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from benchproof.archive.closing import is_cut
from benchproof.archive.names import axis_key_of, files_of_axis, files_of_imported_axis, is_imported
from benchproof.archive.schemas import find_misfits
from benchproof.archive.walking import EntryKind
from benchproof.canon import CanonError, NameRefusedError, casefold_clashes, check_relative_path, parse_canonical
from benchproof.records.run import RunManifest
from benchproof.rulebook import Finding

_FOLDERS = ("raw", "records", "attachments")


def a014_manifest_missing(place: str, *, kind: EntryKind | None) -> Iterator[Finding]:
    """A folder in ``runs/`` is sealed: it has a manifest, which is a file. ``kind``: what stands in its place."""
    if kind is None:
        yield Finding(place, "A014", "the run has no manifest: it is not sealed", hint="Restore the file from a copy")
    elif kind != "file":
        yield Finding(place, "A014", "the run's manifest is no file", got=f"a {kind}", hint="Restore it from a copy")


def a015_manifest_canonical(place: str, data: bytes) -> Iterator[Finding]:
    """The manifest's bytes are strict, canonical JSON."""
    if not data.strip(b"\0"):
        yield Finding(place, "A015", "the manifest is empty, as a power cut leaves it", got=f"{len(data)} bytes")
        return
    try:
        parse_canonical(data)
    except CanonError as error:
        yield Finding(
            place, "A015", f"not canonical JSON: {error.what}", got=error.got or error.place, expected=error.expected
        )


def a016_manifest_shape(place: str, manifest: object) -> Iterator[Finding]:
    """The manifest has the shape of its schema; an unknown version is refused, never guessed at."""
    for misfit in find_misfits("run-manifest", manifest):
        yield Finding(f"{place} {misfit.pointer or '/'}", "A016", f"not a run manifest: {misfit.what}")


def a017_manifest_id(place: str, manifest: RunManifest, folder_name: str) -> Iterator[Finding]:
    """The folder is named by the run that is in it."""
    if manifest["id"] != folder_name:
        yield Finding(
            place, "A017", "the manifest's id is not the folder's name", got=manifest["id"], expected=folder_name
        )


def a018_file_list(place: str, manifest: RunManifest) -> Iterator[Finding]:
    """The list of files is sorted, each once, by portable paths below raw/, records/ and attachments/."""
    paths = [entry["path"] for entry in manifest["files"]]
    if paths != sorted(paths):
        yield Finding(place, "A018", "the files are not listed by path")
    for first, second in casefold_clashes(paths):
        yield Finding(place, "A018", "two files have one name where letter case is ignored", got=second, expected=first)
    folders = {str(parent) for path in set(paths) for parent in PurePosixPath(path).parents}
    for path in sorted(set(paths)):
        try:
            check_relative_path(path)
        except NameRefusedError as error:
            yield Finding(place, "A018", error.what, got=error.got)
            continue
        if path.split("/")[0] not in _FOLDERS or "/" not in path:
            yield Finding(place, "A018", "a file of a run stands in raw/, records/ or attachments/", got=path)
        if path in folders:
            yield Finding(place, "A018", "a file is listed as a folder too", got=path)


def a048_partial(place: str, manifest: RunManifest) -> Iterator[Finding]:
    """``partial`` says whether any axis is cut."""
    expected = any(is_cut(axis) for axis in manifest["axes"])
    if manifest["partial"] != expected:
        yield Finding(
            place,
            "A048",
            "partial does not say whether an axis was cut",
            got=str(manifest["partial"]).lower(),
            expected=str(expected).lower(),
        )


def a049_files_of_axes(place: str, manifest: RunManifest) -> Iterator[Finding]:
    """An axis stands once in the manifest; each has the files that it is recomputed from."""
    for key, times in sorted(Counter(map(axis_key_of, manifest["axes"])).items()):
        if times > 1:
            yield Finding(place, "A049", "an axis stands more than once", got=key)
    listed = {entry["path"] for entry in manifest["files"]}
    for axis in manifest["axes"]:
        if is_imported(axis):
            wanted = files_of_imported_axis(axis_key_of(axis))
        elif "resolved" in axis["protocol"]:
            wanted = files_of_axis(axis_key_of(axis))
        else:
            continue
        for path in sorted(wanted - listed):
            yield Finding(place, "A049", "the manifest lists no such file of an axis", got="nothing", expected=path)
