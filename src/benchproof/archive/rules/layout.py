"""Rules about the archive's folder itself (contract-archive §2, §3)."""

from collections.abc import Iterable, Iterator

from benchproof.archive.layout import LOCKS, RUNS, STAGING, STORE, STORE_FILE, is_store
from benchproof.archive.walking import Entry
from benchproof.canon import canonical, casefold_clashes, is_portable_id
from benchproof.rulebook import Finding, Severity

_AT_ROOT = frozenset(
    {STORE_FILE, RUNS, LOCKS, STAGING, "derived", "withheld", "README.md", ".gitattributes", ".cache"}
    | {"item-banks", "protocols", "model-panels", "calibrations", "releases"}
)


def a010_store_file(data: bytes | None) -> Iterator[Finding]:
    """The store file is there and says what one of this layout says.

    One that names another version of the layout is no finding but a ``LayoutError``: nothing else can be judged.
    """
    if data is None or not is_store(data):
        yield Finding(
            STORE_FILE,
            "A010",
            "the store file is missing, or is none",
            got="no such file" if data is None else data[:200].decode("utf-8", "replace"),
            expected=canonical(STORE).decode(),
        )


def a011_unknown_at_root(entries: Iterable[Entry]) -> Iterator[Finding]:
    """Nothing stands in the archive's folder but what the layout knows."""
    for entry in entries:
        if entry.path not in _AT_ROOT:
            yield Finding(
                entry.path,
                "A011",
                f"a {entry.kind} that the layout does not know",
                hint="Move it out of the archive",
                severity=Severity.WARNING,
            )


def a012_run_folder_name(entries: Iterable[Entry]) -> Iterator[Finding]:
    """What stands in ``runs/`` is a folder with a portable name."""
    for entry in entries:
        place = f"{RUNS}/{entry.path}"
        if entry.kind in ("file", "special"):
            yield Finding(place, "A012", "a run is a folder", got=f"a {entry.kind}", hint="Move it out of the archive")
        elif not is_portable_id(entry.path):
            yield Finding(place, "A012", "the folder's name is no portable id")


def a013_run_names_clash(entries: Iterable[Entry]) -> Iterator[Finding]:
    """No two runs have one name where letter case is ignored."""
    for first, second in casefold_clashes(entry.path for entry in entries):
        yield Finding(
            f"{RUNS}/{second}", "A013", "two runs are one where letter case is ignored", got=second, expected=first
        )
