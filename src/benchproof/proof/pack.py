"""Pack: a number with all it stands on, in one file that travels alone (contract-proof, pack).

Laws kept here: only what is intact and recomputes is packed; texts leave only where the publication guard lets them,
and what was left out is listed with its digest; the same inputs give the same bytes (no clock, one order, one form);
the page is made by the caller, so that this room knows nothing of HTML.
"""

import io
import os
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from benchproof.archive import SealedRun, load_run
from benchproof.archive.layout import MANIFEST, RUNS, SCORES
from benchproof.canon import canonical, digest
from benchproof.proof.errors import ContainerUnreadableError, ProofError
from benchproof.proof.pack_container import Member, write_container, write_sums
from benchproof.proof.pack_contents import PackedFile, ProofContents, RunContents
from benchproof.proof.pack_outcomes import has_records, list_outcomes, outcomes_path
from benchproof.proof.pack_reading import INDEX, SUMS
from benchproof.proof.pack_text import write_statement
from benchproof.proof.publication import check_statement, decide_files
from benchproof.proof.shelf import Progress
from benchproof.proof.verify import require_sound
from benchproof.records.proof import LeftOutFile, PackedRun, PackedScorer, ProofIndex
from benchproof.scores import TagError, find_number, read_sources, read_tag

PAGE: Final = "index.html"
STATEMENT: Final = "WHAT-THIS-PROVES.txt"
VERIFIER: Final = "verify.py"
SOURCES: Final = "scorers"
_BETWEEN: Final = ".."
_CHUNK: Final = 1 << 20


class _Digested(NamedTuple):
    member: Member
    sha256: str


def pack_proof(
    root: Path,
    words: Sequence[str],
    out: Path,
    *,
    render_page: Callable[[ProofContents], str],
    version: str,
    stated_license: str | None = None,
    progress: Progress | None = None,
) -> PackedFile:
    """Pack the numbers of ``words`` with the runs that they come from.

    Args:
        root: The archive.
        words: Tags as printed, two with ``..`` between, or runs (all their numbers).
        out: The file to write; it is replaced as a whole, once everything is in it.
        render_page: Makes ``index.html``.
        version: Of benchproof, which the proof states.
        stated_license: What the packer states for files that no data set speaks for; ``None`` leaves them out.
        progress: Told of each file and the bytes just compared.

    Raises:
        NotIntactError: A run does not hold, so that nothing of it is proof.
        ProofError: The stated licence does not allow it, or a word names nothing.
    """
    if stated_license is not None:
        check_statement(stated_license)
    wanted = _find_numbers(root, words)
    verifier = read_verifier()
    runs = tuple(_pack_run(root, run_id, stated_license, progress) for run_id in sorted(wanted))
    index: ProofIndex = {
        "schema_version": 1,
        "kind": "proof",
        "made_by": {"name": "benchproof", "version": version},
        "numbers": [{"tag": tag, "run": run.packed["id"]} for run in runs for tag in _order(run, wanted)],
        "runs": [run.packed for run in runs],
        "scorers": _describe_scorers(runs),
    }
    contents = ProofContents(index, runs, sha256(verifier).hexdigest())
    texts = {
        INDEX: canonical(index),
        PAGE: render_page(contents).encode("utf-8"),
        STATEMENT: write_statement(contents).encode("utf-8"),
        VERIFIER: verifier,
    }
    members = [_digest(name, partial(io.BytesIO, data)) for name, data in texts.items()]
    members += [_digest(f"{SOURCES}/{name}", partial(io.BytesIO, data)) for name, data in _read_scorers(index)]
    for run in runs:
        members += _list_members(load_run(root, run.packed["id"]), run)
    sums = write_sums({one.member.name: one.sha256 for one in members})
    members.append(_digest(SUMS, partial(io.BytesIO, sums)))
    size = _write(out, [one.member for one in members])
    return PackedFile(contents, sha256(sums).hexdigest(), len(members), size)


def read_verifier() -> bytes:
    """The verifier that travels in a proof."""
    return files("benchproof.proof").joinpath("packed", VERIFIER).read_bytes()


def _find_numbers(root: Path, words: Sequence[str]) -> dict[str, set[str]]:
    """The tags asked for, by run; a run's id alone asks for all of its numbers, which is an empty set here."""
    wanted: dict[str, set[str]] = {}
    for word in [part for one in words for part in one.split(_BETWEEN)]:
        try:
            tag = read_tag(word)
        except TagError:
            wanted.setdefault(load_run(root, word).id, set())
        else:
            wanted.setdefault(find_number(root, tag).run.id, set()).add(tag)
    return wanted


def _order(run: RunContents, wanted: Mapping[str, set[str]]) -> list[str]:
    """The run's tags that were asked for, in the order of its sheet; all where the run itself was."""
    tags = [number["tag"] for number in run.sheet["numbers"]]
    asked = wanted[run.packed["id"]]
    missing = asked - set(tags)
    if missing:
        raise ProofError(
            "this number is by a scorer that is not at hand, so it cannot be packed",
            got=", ".join(sorted(missing)),
            expected=f"for example {', '.join(tags[:3])}",
        )
    return [tag for tag in tags if tag in asked] if asked else tags


def _pack_run(root: Path, run_id: str, stated_license: str | None, progress: Progress | None) -> RunContents:
    sound = require_sound(root, run_id, progress=progress)
    run, sheet = sound.run, sound.sheet
    decisions = decide_files(run, stated_license)
    left_out: list[LeftOutFile] = [
        {"path": entry["path"], "bytes": entry["bytes"], "sha256": entry["sha256"], "why": why}
        for entry in run.manifest["files"]
        if (why := decisions.left_out.get(entry["path"])) is not None
    ]
    packed: PackedRun = {
        "id": run.id,
        "sha256": run.sha256,
        "sheet": f"{SCORES}/{run.id}/{digest(sheet)}.json" if sheet["numbers"] else None,
        "published": list(decisions.published),
        "left_out": left_out,
    }
    return RunContents(packed, run.manifest, sheet)


def _describe_scorers(runs: Iterable[RunContents]) -> list[PackedScorer]:
    described: dict[str, PackedScorer] = {}
    for scorer in (scorer for run in runs for scorer in run.sheet["scorers"]):
        sources = list(read_sources(scorer["slug"]))
        described[scorer["slug"]] = {**scorer, "sources": sources}
    return [described[slug] for slug in sorted(described)]


def _read_scorers(index: ProofIndex) -> Iterator[tuple[str, bytes]]:
    sources: dict[str, bytes] = {}
    for scorer in index["scorers"]:
        sources |= read_sources(scorer["slug"])
    yield from sorted(sources.items())


def _list_members(run: SealedRun, contents: RunContents) -> Iterator[_Digested]:
    """Manifest, files that travel, outcomes of axes that do not, and the score sheet of one run."""
    place = f"{RUNS}/{run.id}"
    yield _digest(f"{place}/{MANIFEST}", partial(io.BytesIO, canonical(run.manifest)))
    left_out = {entry["path"] for entry in contents.packed["left_out"]}
    for entry in run.manifest["files"]:
        if entry["path"] not in left_out:
            digested = _digest(f"{place}/{entry['path']}", partial(run.opened, entry["path"]))
            if digested.sha256 != entry["sha256"]:
                raise ContainerUnreadableError("a file changed while it was packed", place=digested.member.name)
            yield digested
    for axis_key in contents.left_out_axes:
        if has_records(run, axis_key):
            lines = b"".join(list_outcomes(run, axis_key))
            yield _digest(outcomes_path(run.id, axis_key), partial(io.BytesIO, lines))
    if contents.packed["sheet"] is not None:
        yield _digest(contents.packed["sheet"], partial(io.BytesIO, canonical(contents.sheet)))


def _digest(name: str, source: Callable[[], AbstractContextManager[BinaryIO]]) -> _Digested:
    size = crc = 0
    hashed = sha256()
    with source() as stream:
        while block := stream.read(_CHUNK):
            size, crc = size + len(block), zlib.crc32(block, crc)
            hashed.update(block)
    return _Digested(Member(name, size, crc, source), hashed.hexdigest())


def _write(out: Path, members: Sequence[Member]) -> int:
    """Write beside ``out``, then put it in its place: a reader sees the old file or the whole new one."""
    try:
        with _staged(out) as stream:
            write_container(stream, members)
            size = stream.tell()
    except OSError as error:
        raise ContainerUnreadableError(
            "the proof cannot be written", place=str(out), got=error.strerror or str(error)
        ) from error
    return size


@contextmanager
def _staged(out: Path) -> Iterator[BinaryIO]:
    descriptor, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)
        Path(name).replace(out)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
