"""Read sealed runs: nothing is believed before its digest is compared (contract-archive §2, §5).

Readers take no lock and write nothing. A stream's digest is compared when its last line was given: whoever reads to the
end has read what was sealed, or gets a ``DamagedError``.
"""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol, cast

from benchproof.archive.errors import ArchiveError, DamagedError, HandleError
from benchproof.archive.filesystem import storage_errors
from benchproof.archive.item_file import ItemFile
from benchproof.archive.layout import MANIFEST, RUNS, check_store, list_names
from benchproof.archive.names import axis_key_of, axis_path, is_imported, items_path, raw_path, records_path
from benchproof.archive.schemas import find_misfits
from benchproof.archive.walking import Folder, hash_beneath, opened_beneath, opened_folder, read_beneath
from benchproof.canon import CanonError, DigestingReader, parse, parse_canonical, parse_lines, sha256_hex
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.imported import ImportedAxis
from benchproof.records.run import AxisOfRun, FileEntry, RunManifest


class Line(NamedTuple):
    """Where a line stands in its file; ``sha256`` is of its bytes without the line feed."""

    number: int
    offset: int
    length: int
    sha256: str


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
        try:
            axis = parse(self.read(axis_path(axis_key)), place=place)
        except CanonError as error:
            raise DamagedError(error.what, place=error.place, got=error.got, expected=error.expected) from error
        _require_shape(schema, axis, place)
        return axis

    def items(self, axis_key: str) -> Iterator[CompiledItem]:
        """The compiled items in the order of the file; an imported axis has none."""
        if self.is_imported(axis_key):
            return iter(())
        return (cast("CompiledItem", item) for _, item in self._lines(axis_key, items_path(axis_key), "compiled-item"))

    def raw_lines(self, axis_key: str) -> Iterator[tuple[Line, dict[str, Any]]]:
        """Exact input and output of each call, by item id."""
        return self._lines(axis_key, raw_path(axis_key), "raw-line")

    def records(self, axis_key: str) -> Iterator[tuple[Line, dict[str, Any]]]:
        """One record an item, by item id; of an imported axis, imported records."""
        schema = "imported-record" if self.is_imported(axis_key) else "item-record"
        return self._lines(axis_key, records_path(axis_key), schema)

    @contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """One file of the run, seekable; its digest is compared first."""
        entry = self._entry(path)
        with self._folder.opened() as folder:
            _compare(entry, *hash_beneath(folder, path, self._place(path)), self._place(path))
            with opened_beneath(folder, path, self._place(path)) as stream:
                yield stream

    def read(self, path: str) -> bytes:
        """All bytes of one file of the run, compared with the manifest."""
        entry = self._entry(path)
        with self._folder.opened() as folder:
            data = read_beneath(folder, path, self._place(path))
        _compare(entry, sha256_hex(data), len(data), self._place(path))
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

    def _lines(self, axis_key: str, path: str, schema: str) -> Iterator[tuple[Line, dict[str, Any]]]:
        self.axis_of_run(axis_key)
        entry = self._entry(path)
        with self._folder.opened() as folder, opened_beneath(folder, path, self._place(path)) as stream:
            yield from self._compared_lines(stream, entry, schema)

    def _compared_lines(self, stream: BinaryIO, entry: FileEntry, schema: str) -> Iterator[tuple[Line, dict[str, Any]]]:
        place = self._place(entry["path"])
        reader = DigestingReader(stream)
        try:
            with storage_errors(place):
                for number, offset, line, value in parse_lines(reader, place=place):
                    _require_shape(schema, value, f"{place}:{number}")
                    yield Line(number, offset, len(line), sha256_hex(line)), value
        except CanonError as error:
            raise DamagedError(error.what, place=error.place, got=error.got, expected=error.expected) from error
        _compare(entry, reader.hexdigest(), reader.size, place)

    def _entry(self, path: str) -> FileEntry:
        try:
            return self._files[path]
        except KeyError:
            raise DamagedError("the run's manifest lists no such file", place=self._place(path)) from None

    def _place(self, path: str) -> str:
        return f"runs/{self.id}/{path}"


LATEST = "@latest"
"""Handle of the run that was sealed last; ``@latest~1`` is the one before."""


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
        raise HandleError("several runs begin like that", got=handle, expected=f"one of: {', '.join(matches)}")
    raise HandleError(
        "no such sealed run",
        place=str(root),
        got=repr(handle),
        expected=f"the id of a run, or the beginning of one: {', '.join(ids[-5:]) or 'there are none yet'}",
    )


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
    try:
        manifest = parse_canonical(data, place=place)
    except CanonError as error:
        raise DamagedError(error.what, place=error.place, got=error.got, expected=error.expected) from error
    _require_shape("run-manifest", manifest, place)
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


def _require_shape(schema: str, document: object, place: str) -> None:
    misfits = find_misfits(schema, document)
    if misfits:
        raise DamagedError(
            f"not a {schema.replace('-', ' ')}: {misfits[0].what}", place=f"{place} {misfits[0].pointer or '/'}"
        )


def _run_ids(root: Path) -> list[str]:
    check_store(root)
    return [name for name in list_names(root / RUNS) if not name.startswith(".")]


def _compare(entry: FileEntry, sha256: str, size: int, place: str) -> None:
    if (sha256, size) != (entry["sha256"], entry["bytes"]):
        raise DamagedError(
            "the file is not what was sealed",
            place=place,
            got=f"{size} bytes, sha256 {sha256}",
            expected=f"{entry['bytes']} bytes, sha256 {entry['sha256']}",
        )
