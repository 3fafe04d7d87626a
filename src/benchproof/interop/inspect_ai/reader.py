"""Read a log of Inspect: an archive of members, or one JSON document.

Source: ``inspect_ai/log/_recorders/``, 0.3.20 to 0.3.285. A run that was killed has an archive without ``header.json``;
what it was to do stands in ``_journal/start.json``, and what it had done is in the samples that were written.
"""

import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from benchproof.interop.axes import make_axis
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import NOT_FINITE, SURROGATE, read_json
from benchproof.interop.foreign_run import ForeignAxis, ForeignRun
from benchproof.interop.inspect_ai import header
from benchproof.interop.inspect_ai.members import Members, open_members
from benchproof.interop.inspect_ai.sample_fields import SINGLE, read_scores
from benchproof.interop.inspect_ai.samples import FoundSample, RecordMaker, read_listed, read_members
from benchproof.interop.inspect_ai.scoring import (
    ScoreEntry,
    list_entries,
    list_metrics,
    list_reported,
    list_scorers,
)
from benchproof.interop.inspect_ai.tally import Tally
from benchproof.interop.log_files import LARGEST_DOCUMENT, LogFile, Look
from benchproof.interop.names import name_axes
from benchproof.interop.rules.inspect_ai import i027_member, i029_no_success
from benchproof.interop.rules.lines import LineFaults, i002_not_finite, i003_surrogate
from benchproof.records.imported import ImportedRecord

HEADER, START = "header.json", "_journal/start.json"
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
_BEGINS = re.compile(rb'\s*\{\s*"version"\s*:\s*[0-9]+\s*,\s*"status"\s*:\s*"[a-z]+"\s*,\s*"eval"\s*:\s*\{')


class InspectReader:
    """Logs of Inspect, schema versions 1 to 3."""

    format = header.HARNESS

    def recognise(self, look: Look) -> str | None:
        """An archive whose first member or directory is a log's, or a document that begins as a log does."""
        if look.head.startswith(_ZIP):
            return "archive" if START.encode() in look.head[:200] or _has_header(look.file) else None
        head = _unpack_head(look.head) if look.head.startswith(_GZIP) else look.head
        if _BEGINS.match(head.removeprefix(b"\xef\xbb\xbf")) or header.is_log(look.document):
            return "document"
        return None

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """Each file is a run."""
        return [[file] for file, _ in files]

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run of one file."""
        file = files[0]
        faults = LineFaults(file.place, unit="sample")
        document, place = _read_document(file, faults)
        if not header.is_log(document):
            raise UnreadableLogError("the file is no log of Inspect", place=place)
        version = header.read_harness_version(document)
        task = str(document["eval"]["task"])
        run = ForeignRun(
            harness=header.HARNESS,
            harness_version=version,
            title=task,
            model=header.describe_model(document),
            created_at=header.read_date(document),
            axes=[],
            environment=header.describe_environment(document),
            seeds=header.read_seeds(document),
            synthetic=header.is_synthetic(document),
        )
        run.findings += i029_no_success(place, str(document["status"]), header.describe_error(document))
        run.axes.append(_read_axis(run, document, place, file, faults, task))
        return run


def _read_axis(
    run: ForeignRun, document: Mapping[str, Any], place: str, file: LogFile, faults: LineFaults, task: str
) -> ForeignAxis:
    planned, epochs = header.count_planned(document)
    names = list_scorers(document) or _list_score_names(document, file)
    entries = list_entries(document, header.read_reducers(document), names)
    dataset = header.read_table(document["eval"].get("dataset"))
    facts = {key: header.read_text(dataset.get(key)) for key in ("name",) if header.read_text(dataset.get(key))}
    axis = make_axis(
        header.HARNESS,
        run.harness_version,
        axis=name_axes([task])[task],
        task=task,
        metrics=list_metrics(entries),
        reported=list_reported(entries, place),
        version=header.read_version(document),
        planned=planned,
        samples_each=epochs,
        dataset=facts,
    )

    def records() -> Iterator[ImportedRecord]:
        sources = _map_sources(entries)
        tally = Tally(sources, _list_clusters(entries))
        maker = RecordMaker(task, entries, sources, faults, tally)
        with _open_samples(document, file, faults) as groups:
            yield from maker.make(groups)
            if isinstance(groups, _Archived):
                run.findings += groups.findings()
        run.findings += faults.findings()
        updates, author = header.list_updates(document)
        run.findings += tally.findings(place, epochs, updates, author)
        if tally.samples and planned * epochs <= tally.samples:
            run.findings += tally.check_metrics(place)

    setting = header.describe_setting(document, run.harness_version)
    return ForeignAxis(axis, setting, records, header.find_selection(document))


class _Archived:
    """The samples of an open archive, and what is odd of its members."""

    def __init__(self, members: Members, path: str, faults: LineFaults) -> None:
        self._members, self._path, self._faults = members, path, faults

    def __iter__(self) -> Iterator[list[FoundSample]]:
        yield from read_members(self._members, self._path, self._faults)

    def findings(self) -> Iterator[Any]:
        """A finding for each reason."""
        for reason, names in self._members.odd.items():
            yield from i027_member(self._path, names, reason)


@contextmanager
def _open_samples(document: Mapping[str, Any], file: LogFile, faults: LineFaults) -> Iterator[Any]:
    if "samples" in document or not _is_archive(file):
        yield read_listed(document, file.place, faults)
        return
    with open_members(file) as members:
        yield _Archived(members, file.place, faults)


def _read_document(file: LogFile, faults: LineFaults) -> tuple[dict[str, Any], str]:
    """The log without its samples where they are members, and how findings name its place."""
    if not _is_archive(file):
        value, broken = read_json(_read_bytes(file), place=file.place)
        if NOT_FINITE in broken:
            faults.add(i002_not_finite, "/")
        if SURROGATE in broken:
            faults.add(i003_surrogate, "/")
        return value, file.place
    with open_members(file) as members:
        names = members.names()
        name = HEADER if HEADER in names else START
        if name not in names:
            raise UnreadableLogError("the archive has no header and no journal of a log", place=file.place)
        document = read_json(members.read(name), place=f"{file.place}:{name}").value
    if not isinstance(document, dict):
        raise UnreadableLogError("the header of the log is no object", place=f"{file.place}:{name}")
    document.pop("samples", None)
    if name == START:
        document = {**document, "status": "started"}
    return document, f"{file.place}:{name}"


def _read_bytes(file: LogFile) -> bytes:
    data = file.read()
    if not data.startswith(_GZIP):
        return data
    with file.opened() as stream, gzip.GzipFile(fileobj=stream) as unpacked:
        try:
            data = unpacked.read(LARGEST_DOCUMENT + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableLogError("the file cannot be unpacked", place=file.place, got=str(error)[:120]) from error
    if len(data) > LARGEST_DOCUMENT:
        raise UnreadableLogError(
            "the file unpacks to more than any log of its kind", place=file.place,
            expected=f"at most {LARGEST_DOCUMENT:,} bytes",
        )  # fmt: skip
    return data


def _unpack_head(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(head, 1 << 12)
    except zlib.error:
        return b""


def _is_archive(file: LogFile) -> bool:
    with file.opened() as stream:
        return stream.read(len(_ZIP)) == _ZIP


def _has_header(file: LogFile) -> bool:
    try:
        with open_members(file) as members:
            return HEADER in members.names()
    except UnreadableLogError:
        return False


def _list_score_names(document: Mapping[str, Any], file: LogFile) -> dict[str, Mapping[str, Any]]:
    """Names of the scores that samples have, where neither results nor scorers tell: read once more for that."""
    if header.read_table(document.get("results")).get("scores"):
        return {}
    names: dict[str, Mapping[str, Any]] = {}
    with _open_samples(document, file, LineFaults(file.place)) as groups:
        for group in groups:
            for sample in group:
                names |= {name: {} for name in read_scores(sample.value) if name != SINGLE or not names}
    return names


def _map_sources(entries: Sequence[ScoreEntry]) -> dict[str, ScoreEntry]:
    """The key of each sample score, and the entry that it is of."""
    return {entry.source(name): entry for entry in reversed(entries) for name in entry.means()}


def _list_clusters(entries: Sequence[ScoreEntry]) -> frozenset[str]:
    stated = [
        header.read_table(metric.get("params", metric.get("options"))).get("cluster")
        for entry in entries
        for metric in entry.metrics.values()
    ]
    return frozenset(key for key in stated if isinstance(key, str))
