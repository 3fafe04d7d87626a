"""A packed proof as a shelf of runs: every file is read where it lies in the container, and nothing is written.

Laws kept: a member is opened by a name that is expected, never one that is followed; the container's form and every
file's digest are compared before anything in it is believed.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, cast

from benchproof.archive import (
    DamagedError,
    Entry,
    Folder,
    HandleError,
    RunVerification,
    SealedRun,
    load_run_at,
    verify_run_at,
)
from benchproof.archive.layout import RUNS
from benchproof.archive.schemas import has_shape
from benchproof.canon import CanonError, digest, parse_canonical, sha256_hex
from benchproof.proof.errors import ContainerError, NotIntactError
from benchproof.proof.pack_container import Container, Facts, hash_member, read_sums
from benchproof.proof.rules.packed import k001_changed_file, k002_other_files, k003_index
from benchproof.proof.shelf import Progress, StoredSheet
from benchproof.records.proof import PackedRun, ProofIndex
from benchproof.records.score_sheet import ScoreSheet
from benchproof.rulebook import Finding, has_errors
from benchproof.scores import TagError

SUMS: Final = "SHA256SUMS"
INDEX: Final = "proof.json"
LARGEST: Final = 64 * 2**20


@contextmanager
def opened_proof(path: Path, progress: Progress | None = None) -> Iterator["PackedProof"]:
    """Open a proof and compare every byte of it; ``findings`` say what does not hold."""
    with Container.open(path) as container:
        if SUMS not in container.spans or INDEX not in container.spans:
            raise ContainerError("the container is no proof", place=str(path), expected=f"{SUMS} and {INDEX} in it")
        yield PackedProof(container, str(path), progress)


@contextmanager
def opened_intact_proof(path: Path) -> Iterator["PackedProof"]:
    """As ``opened_proof``, for whoever asks something of it; ``NotIntactError`` where a byte of it does not hold."""
    with opened_proof(path) as proof:
        if has_errors(proof.findings):
            raise NotIntactError(
                "the proof is not what was packed, so there is nothing to ask of it",
                place=str(path),
                got=str(proof.findings[0]),
                hint=f"See all of it: benchproof verify {path}",
            )
        yield proof


class PackedProof:
    """Implements ``Shelf``. ``digest`` is of SHA256SUMS; ``index`` is ``None`` where it cannot be taken at its word."""

    def __init__(self, container: Container, place: str, progress: Progress | None) -> None:
        self._container = container
        self._place = place
        sums = container.read(SUMS, LARGEST)
        self.digest = sha256_hex(sums)
        self.facts = {name: _hash(container, name, progress) for name in container.spans}
        self.findings = tuple(self._compare(read_sums(sums, f"{place}: {SUMS}")))
        shaped = list(k003_index(INDEX, data := self.read(INDEX)))
        self.findings += tuple(shaped)
        self.index = None if shaped else cast("ProofIndex", parse_canonical(data))
        self._runs = {} if self.index is None else {run["id"]: run for run in self.index["runs"]}

    def _compare(self, sums: Mapping[str, str]) -> Iterator[Finding]:
        yield from k002_other_files(sums, self.facts, SUMS)
        for name, seen in self.facts.items():
            yield from k001_changed_file(name, self._container.spans[name], seen, sums.get(name))

    @property
    def names(self) -> frozenset[str]:
        """Every file of the proof."""
        return frozenset(self._container.spans)

    @property
    def run_ids(self) -> tuple[str, ...]:
        """Runs by id."""
        return tuple(self._runs)

    def read(self, name: str) -> bytes:
        """All bytes of a small file; ``ContainerError`` where there is none."""
        if name not in self._container.spans:
            raise ContainerError("the proof has no such file", place=f"{self._place}: {name}")
        return self._container.read(name, LARGEST)

    def find_packed(self, run_id: str) -> PackedRun:
        """What the index says of a run."""
        return self._runs[run_id]

    def list_digests(self) -> dict[str, str]:
        """As the index names them; a run that is another is a finding."""
        return {run_id: run["sha256"] for run_id, run in self._runs.items()}

    def load_run(self, handle: str) -> SealedRun:
        """By id or unique prefix."""
        return load_run_at(self._find_place(handle))

    def verify_run(
        self, handle: str, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
    ) -> RunVerification:
        """As ``archive.verify_run``; what was left out is not looked for."""
        place = self._find_place(handle)
        return verify_run_at(place, expect=expect, left_out=self.list_left_out(place.name), progress=progress)

    def list_sheets(self, run_id: str) -> list[StoredSheet]:
        """The one score sheet that the index names, if any."""
        name = self._runs[run_id]["sheet"] if run_id in self._runs else None
        return [] if name is None else [StoredSheet(name, self._read_sheet(name))]

    def _read_sheet(self, name: str) -> ScoreSheet | None:
        try:
            sheet = parse_canonical(self.read(name), place=name)
        except (CanonError, ContainerError):
            return None
        is_named_so = digest(sheet) == PurePosixPath(name).stem
        return cast("ScoreSheet", sheet) if is_named_so and has_shape("score-sheet", sheet) else None

    def list_scored(self) -> list[str]:
        """Every run with a score sheet."""
        return [run_id for run_id, run in self._runs.items() if run["sheet"] is not None]

    def find_run_of(self, tag: str) -> str:
        """There is no other way to it here: raises ``TagError``."""
        sheets = [one.sheet for run_id in self._runs for one in self.list_sheets(run_id) if one.sheet is not None]
        tags = [number["tag"] for sheet in sheets for number in sheet["numbers"]]
        near = get_close_matches(tag, tags, n=3, cutoff=0.0)
        raise TagError(
            "no number in this proof has this tag",
            place=self._place,
            got=tag,
            expected=f"one such as {', '.join(near)}",
        )

    def list_left_out(self, run_id: str) -> frozenset[str]:
        """As the index lists them."""
        run = self._runs.get(run_id)
        return frozenset() if run is None else frozenset(entry["path"] for entry in run["left_out"])

    def name_run(self, run_id: str) -> str:
        """The proof, and the run where there are several."""
        return self._place if len(self._runs) == 1 else f"{self._place} --run {run_id}"

    def _find_place(self, handle: str) -> "PackedRunPlace":
        found = [run_id for run_id in self._runs if run_id == handle] or [
            run_id for run_id in self._runs if run_id.startswith(handle)
        ]
        if len(found) != 1:
            raise HandleError(
                "the proof has no such run, or several begin like that",
                place=self._place,
                got=repr(handle),
                expected=f"one of {', '.join(self._runs)}",
            )
        return PackedRunPlace(self._container, self._place, found[0])


class PackedRunPlace:
    """Where a run lies in a proof; its own ``Members``, so that it is read like a folder."""

    def __init__(self, container: Container, place: str, run_id: str) -> None:
        self._container = container
        self._prefix = f"{RUNS}/{run_id}/"
        self.name = run_id
        self.path = Path(place, RUNS, run_id)

    @contextmanager
    def opened(self) -> Iterator[Folder]:
        """The run's files are read from here."""
        yield self

    def open(self, path: str, place: str) -> BinaryIO:
        """A file of the run."""
        if f"{self._prefix}{path}" not in self._container.spans:
            raise DamagedError("the file is missing", place=place)
        return self._container.stream(f"{self._prefix}{path}")

    def list_entries(self) -> list[Entry]:
        """Files and the folders that their names speak of, by path."""
        entries: dict[str, Entry] = {}
        for name, span in self._container.spans.items():
            if name.startswith(self._prefix):
                path = PurePosixPath(name.removeprefix(self._prefix))
                folders = [str(parent) for parent in path.parents if str(parent) != "."]
                entries |= {one: Entry(one, "folder", 0, 1) for one in folders if one not in entries}
                entries[str(path)] = Entry(str(path), "file", span.size, 1)
        return [entries[path] for path in sorted(entries)]


def _hash(container: Container, name: str, progress: Progress | None) -> Facts:
    return hash_member(container, name, None if progress is None else lambda count: progress(name, count))
