"""Read sealed runs: nothing is believed before its digest is compared (contract-archive §2, §5).

Readers take no lock and write nothing. A stream's digest is compared when its last line was given: whoever reads to the
end has read what was sealed, or gets a ``DamagedError``.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, Protocol, cast

from benchproof.archive.errors import ArchiveError, DamagedError, HandleError
from benchproof.archive.item_file import ItemFile
from benchproof.archive.layout import MANIFEST, RUNS, STAGING, check_store, list_names
from benchproof.archive.line_reading import (
    LineAndValue,
    compare_bytes,
    damage_told,
    find_sealed_line,
    read_sealed_lines,
    require_shape,
)
from benchproof.archive.names import axis_key_of, axis_path, is_imported, items_path, raw_path, records_path
from benchproof.archive.walking import Folder, hash_beneath, opened_beneath, opened_folder, read_beneath
from benchproof.canon import parse, parse_canonical, sha256_hex
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.imported import ImportedAxis
from benchproof.records.run import AxisOfRun, FileEntry, RunManifest

LineKind = Literal["item", "raw", "record"]
_KINDS: dict[LineKind, tuple[Callable[[str], str], str]] = {
    "item": (items_path, "compiled-item"),
    "raw": (raw_path, "raw-line"),
    "record": (records_path, "item-record"),
}


class RunSummary(NamedTuple):
    """A sealed run in a list."""

    id: str
    sha256: str
    manifest: RunManifest


class RunPlace(Protocol):
    """Where a sealed run stands: a folder, or something that its files are read out of like one."""

    @property
    def name(self) -> str:
        """The run's id, by its place."""
        ...

    @property
    def path(self) -> Path:
        """The place as a person would name it."""
        ...

    def opened(self) -> AbstractContextManager[Folder]:
        """What files are read from."""
        ...


class RunFolder(NamedTuple):
    """A run in an archive. ``anchor`` may be reached through a link, the ``steps`` below it not."""

    anchor: Path
    steps: tuple[str, ...]

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.steps[-1]

    @property
    def path(self) -> Path:
        """The folder."""
        return self.anchor.joinpath(*self.steps)

    @contextmanager
    def opened(self) -> Iterator[int]:
        """The folder's descriptor."""
        with opened_folder(self.anchor, self.steps, str(self.path)) as folder:
            yield folder


class SealedRun:
    """A sealed run, read on demand. Made by ``load_run``."""

    def __init__(self, folder: RunPlace, manifest: RunManifest, sha256: str) -> None:
        self._folder = folder
        self._files: dict[str, FileEntry] = {entry["path"]: entry for entry in manifest["files"]}
        self._axes = {axis_key_of(axis): axis for axis in manifest["axes"]}
        self.id = manifest["id"]
        self.sha256 = sha256
        self.path = folder.path
        self.manifest = manifest

    @property
    def axis_keys(self) -> tuple[str, ...]:
        """Axis keys in the order of the manifest."""
        return tuple(self._axes)

    def restrict(self, axis_keys: Collection[str]) -> "SealedRun":
        """The same run with these axes alone: for whoever has no other's files. Its identity stays."""
        axes = [axis for key, axis in self._axes.items() if key in axis_keys]
        return SealedRun(self._folder, cast("RunManifest", {**self.manifest, "axes": axes}), self.sha256)

    def axis_of_run(self, axis_key: str) -> AxisOfRun:
        """What the manifest states of an axis."""
        try:
            return self._axes[axis_key]
        except KeyError:
            expected = ", ".join(self._axes) or "none"
            raise HandleError("the run has no such axis", place=self.id, got=axis_key, expected=expected) from None

    def is_imported(self, axis_key: str) -> bool:
        """Whether the axis was read from another harness' log: it has no items, and records of that family."""
        return is_imported(self.axis_of_run(axis_key))

    def axis(self, axis_key: str) -> ResolvedAxis:
        """The resolved axis as run; an imported one has none."""
        if self.is_imported(axis_key):
            raise HandleError(
                "the axis was imported from another harness' log, so it cannot be rendered or asked again",
                place=f"{self.id} {axis_key}",
            )
        return cast("ResolvedAxis", self._read_axis(axis_key, "resolved-axis"))

    def imported_axis(self, axis_key: str) -> ImportedAxis:
        """The axis as another harness' log states it."""
        if not self.is_imported(axis_key):
            raise HandleError("the axis was not imported", place=f"{self.id} {axis_key}")
        return cast("ImportedAxis", self._read_axis(axis_key, "imported-axis"))

    def _read_axis(self, axis_key: str, schema: str) -> object:
        place = self._place(axis_path(axis_key))
        with damage_told():
            axis = parse(self.read(axis_path(axis_key)), place=place)
        require_shape(schema, axis, place)
        return axis

    def items(self, axis_key: str) -> Iterator[CompiledItem]:
        """The compiled items in the order of the file; an imported axis has none."""
        if self.is_imported(axis_key):
            return iter(())
        return (cast("CompiledItem", item) for _, item in self._lines(axis_key, items_path(axis_key), "compiled-item"))

    def raw_lines(self, axis_key: str) -> Iterator[LineAndValue]:
        """Exact input and output of each call, by item id."""
        return self._lines(axis_key, raw_path(axis_key), "raw-line")

    def records(self, axis_key: str) -> Iterator[LineAndValue]:
        """One record an item, by item id; of an imported axis, imported records."""
        schema = "imported-record" if self.is_imported(axis_key) else "item-record"
        return self._lines(axis_key, records_path(axis_key), schema)

    @contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """One file of the run, seekable; its digest is compared first."""
        entry = self._entry(path)
        with self._folder.opened() as folder:
            compare_bytes(entry, *hash_beneath(folder, path, self._place(path)), self._place(path))
            with opened_beneath(folder, path, self._place(path)) as stream:
                yield stream

    def find_line(self, kind: LineKind, axis_key: str, item_id: str) -> LineAndValue | None:
        """One item's line among ``kind``; the whole file is compared with the manifest, no other line is taken apart.

        ``None`` where no line writes the id as canonical JSON does.
        """
        self.axis_of_run(axis_key)
        path_of, schema = _KINDS[kind]
        path = path_of(axis_key)
        entry = self._entry(path)
        with self._folder.opened() as folder, opened_beneath(folder, path, self._place(path)) as stream:
            return find_sealed_line(stream, entry, schema, item_id, self._place(path))

    def read(self, path: str) -> bytes:
        """All bytes of one file of the run, compared with the manifest."""
        entry = self._entry(path)
        with self._folder.opened() as folder:
            data = read_beneath(folder, path, self._place(path))
        compare_bytes(entry, sha256_hex(data), len(data), self._place(path))
        return data

    @contextmanager
    def opened_items(self, axis_key: str) -> Iterator[ItemFile]:
        """The compiled items, reached by id; the file's digest is compared first."""
        self.axis_of_run(axis_key)
        path = items_path(axis_key)
        for _ in self._lines(axis_key, path, "compiled-item"):
            pass
        with self._folder.opened() as folder, opened_beneath(folder, path, self._place(path)) as stream:
            yield ItemFile.read_index(stream, self._place(path))

    def _lines(self, axis_key: str, path: str, schema: str) -> Iterator[LineAndValue]:
        self.axis_of_run(axis_key)
        entry = self._entry(path)
        with self._folder.opened() as folder, opened_beneath(folder, path, self._place(path)) as stream:
            yield from read_sealed_lines(stream, entry, schema, self._place(path))

    def _entry(self, path: str) -> FileEntry:
        try:
            return self._files[path]
        except KeyError:
            raise DamagedError("the run's manifest lists no such file", place=self._place(path)) from None

    def _place(self, path: str) -> str:
        return f"runs/{self.id}/{path}"


LATEST = "@latest"
"""Handle of the run that was sealed last; ``@latest~1`` is the one before."""

MOST_NAMED = 5
"""Ids that a message names; where there are more it counts them."""


def load_run(root: Path, handle: str) -> SealedRun:
    """The sealed run of an id, a unique prefix of an id, ``@latest``, ``@latest~1`` …, or a path of its folder."""
    return load_run_at(find_run_folder(root, handle))


def list_runs(root: Path, *, on_damage: Callable[[str, ArchiveError], None] | None = None) -> list[RunSummary]:
    """Every sealed run by the time it was sealed (a foreign run may not state when it was opened), newest last.

    A run whose manifest cannot be read is an error; with ``on_damage`` it is reported there (id, error) and left out.
    """
    summaries = []
    for run_id in _run_ids(root):
        try:
            run = load_run_at(RunFolder(root, (RUNS, run_id)))
        except ArchiveError as error:
            if on_damage is None:
                raise
            on_damage(run_id, error)
        else:
            summaries.append(RunSummary(run.id, run.sha256, run.manifest))
    return sorted(summaries, key=lambda summary: (summary.manifest["sealed_at"], summary.id))


def find_run_folder(root: Path, handle: str) -> RunFolder:
    """Where the run of a handle stands; ``HandleError`` where it names none, or several."""
    if "/" in handle or handle in (".", ".."):
        path = Path(handle).absolute()
        if not (path / MANIFEST).exists():
            raise HandleError("no sealed run at that path", got=handle, expected=f"a folder with {MANIFEST}")
        named = path if path.name not in ("", "..") else path.resolve()
        return RunFolder(named.parent, (named.name,))
    if handle.startswith(LATEST):
        return RunFolder(root, (RUNS, _find_latest(root, handle)))
    ids = _run_ids(root)
    matches = [run_id for run_id in ids if run_id == handle] or [run_id for run_id in ids if run_id.startswith(handle)]
    if handle and len(matches) == 1:
        return RunFolder(root, (RUNS, matches[0]))
    if handle and matches:
        raise HandleError("several runs begin like that", got=handle, expected=f"one of: {_name_last(matches)}")
    if handle and any(name.startswith(f"run-{handle}") for name in list_names(root / STAGING)):
        raise HandleError(
            "the run is open, not sealed",
            place=str(root),
            got=repr(handle),
            hint="`benchproof list` says how far it is; the command that began it goes on with --resume",
        )
    raise HandleError(
        "no such sealed run",
        place=str(root),
        got=repr(handle),
        expected=f"the id of a run, or the beginning of one: {_name_last(ids) or 'there are none yet'}",
    )


def _name_last(ids: Sequence[str]) -> str:
    """The last ids of a list, and how many there are before them."""
    before = len(ids) - MOST_NAMED
    return ", ".join(ids[-MOST_NAMED:]) + (f" and {before} more" if before > 0 else "")


def _find_latest(root: Path, handle: str) -> str:
    """The id of the run that was sealed last, or so many runs before it; an ``@`` stands in no id."""
    runs = list_runs(root, on_damage=lambda _name, _error: None)[::-1]
    back = re.fullmatch(re.escape(LATEST) + r"(?:~([0-9]{1,6}))?", handle)
    if back is None:
        raise HandleError(
            "no such way to name a run", got=handle, expected=f"{LATEST}, or {LATEST}~1 for the one before"
        )
    position = int(back[1] or 0)
    if position >= len(runs):
        raise HandleError(
            "there are not so many sealed runs", place=str(root), got=handle, expected=f"{len(runs)} runs"
        )
    return runs[position].id


def read_manifest(data: bytes, place: str) -> RunManifest:
    """The manifest in those bytes: strict, canonical and of its shape, or ``DamagedError``."""
    with damage_told():
        manifest = parse_canonical(data, place=place)
    require_shape("run-manifest", manifest, place)
    return cast("RunManifest", manifest)


def load_run_at(folder: RunPlace) -> SealedRun:
    """The sealed run that stands there; ``DamagedError`` where its manifest cannot be taken at its word."""
    place = f"{RUNS}/{folder.name}/{MANIFEST}"
    with folder.opened() as descriptor:
        data = read_beneath(descriptor, MANIFEST, place)
    manifest = read_manifest(data, place)
    if manifest["id"] != folder.name:
        raise DamagedError("the folder is not named by its run", place=place, got=folder.name, expected=manifest["id"])
    return SealedRun(folder, manifest, sha256_hex(data))


def _run_ids(root: Path) -> list[str]:
    check_store(root)
    return [name for name in list_names(root / RUNS) if not name.startswith(".")]
