"""Samples of an Inspect log, read as imported records: the epochs of one id are the samples of one item.

Laws: a sample that cannot be read is said and left out, the others are read; errored and unscored samples stay in the
record, whatever the harness' own number is over; an item is told by what was asked and its key, its id is an alias.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchproof.canon import sha256_hex
from benchproof.interop.axes import digest_content, name_item
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import NOT_FINITE, SURROGATE, read_json
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT
from benchproof.interop.inspect_ai.header import read_table
from benchproof.interop.inspect_ai.members import Members
from benchproof.interop.inspect_ai.sample_fields import (
    convert_score,
    find_score,
    is_capped,
    is_sample,
    list_edited,
    read_answer,
    read_completion,
    read_content,
    read_error,
    read_limit,
    read_scores,
)
from benchproof.interop.inspect_ai.scoring import COMPLETION, ScoreEntry
from benchproof.interop.inspect_ai.tally import Tally
from benchproof.interop.rules.lines import (
    LineFaults,
    i002_not_finite,
    i003_surrogate,
    i005_unreadable,
    i008_item_again,
    i009_alias_of_two,
    i010_answer_at_cap,
    i028_empty_answer,
)
from benchproof.interop.shapes import WRONG_SHAPE, describe_fault
from benchproof.records.imported import ImportedRecord, ImportedSample, Origin

_FOLDER, _SUFFIX, _EPOCH = "samples/", ".json", "_epoch_"


class FoundSample(NamedTuple):
    """One sample with where it stands; ``case`` is how findings name that."""

    value: dict[str, Any]
    origin: Origin
    case: str


def list_sample_members(names: Iterable[str]) -> list[list[str]]:
    """Members that are samples, those of one id together, in the order in which ids come first."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if name.startswith(_FOLDER) and name.endswith(_SUFFIX):
            groups.setdefault(name.rpartition(_EPOCH)[0] or name, []).append(name)
    return list(groups.values())


def read_members(members: Members, path: str, faults: LineFaults) -> Iterator[list[FoundSample]]:
    """The samples of an archive, the epochs of one id at a time."""
    for names in list_sample_members(members.names()):
        found = [_read_member(members, name, path, faults) for name in names]
        yield [sample for sample in found if sample is not None]


def _read_member(members: Members, name: str, path: str, faults: LineFaults) -> FoundSample | None:
    case = name[:120]
    try:
        data = members.read(name)
        value, broken = read_json(data, place=case)
    except UnreadableLogError as error:
        faults.add(i005_unreadable, case, error.what)
        return None
    if not is_sample(value):
        faults.add(i005_unreadable, case, "the member is no sample of Inspect")
        return None
    if NOT_FINITE in broken:
        faults.add(i002_not_finite, case)
    if SURROGATE in broken:
        faults.add(i003_surrogate, case)
    return FoundSample(value, {"path": path, "member": name, "sha256": sha256_hex(data)}, case)


def read_listed(document: Mapping[str, Any], path: str, faults: LineFaults) -> Iterator[list[FoundSample]]:
    """The samples of a JSON log, the epochs of one id at a time."""
    listed = document.get("samples")
    groups: dict[str, list[FoundSample]] = {}
    for index, value in enumerate(listed if isinstance(listed, list) else []):
        if is_sample(value):
            sample = FoundSample(value, {"path": path, "pointer": f"/samples/{index}"}, f"/samples/{index}")
            groups.setdefault(str(value["id"]), []).append(sample)
        else:
            faults.add(i005_unreadable, f"/samples/{index}", "the entry is no sample of Inspect")
    yield from groups.values()


@dataclass
class RecordMaker:
    """Makes records of the samples of a log, and counts on the way what its findings and statistics need."""

    task: str
    entries: Sequence[ScoreEntry]
    sources: Mapping[str, ScoreEntry]
    faults: LineFaults
    tally: Tally
    times: Counter[str] = field(default_factory=Counter)

    def make(self, groups: Iterable[Sequence[FoundSample]]) -> Iterator[ImportedRecord]:
        """A record an item; what is asked twice under one id is two items."""
        for group in groups:
            alike: dict[tuple[str, int], list[FoundSample]] = {}
            epochs: Counter[tuple[str, Any]] = Counter()
            for sample in group:
                content = self._read(sample)
                if content is not None:
                    epochs[content, str(sample.value["epoch"])] += 1
                    alike.setdefault((content, epochs[content, str(sample.value["epoch"])]), []).append(sample)
            if len({content for content, _ in alike}) > 1:
                self.faults.add(i009_alias_of_two, group[0].case, "sample id")
            for (content, _), samples in alike.items():
                yield self._make_record(content, samples)

    def _read(self, sample: FoundSample) -> str | None:
        """The digest of what was asked; ``None`` where the sample cannot be read."""
        try:
            asked, gold = read_content(sample.value)
            return digest_content(asked, gold)
        except WRONG_SHAPE as fault:
            self.faults.add(i005_unreadable, sample.case, describe_fault(fault))
            return None

    def _make_record(self, content: str, found: Sequence[FoundSample]) -> ImportedRecord:
        self.times[content] += 1
        if self.times[content] > 1:
            self.faults.add(i008_item_again, found[0].case)
        item_id = name_item(NO_LANGUAGE, content, self.times[content])
        ordered = sorted(found, key=lambda sample: _read_number(sample.value) or 0)
        samples = [self._make_sample(sample, number) for number, sample in enumerate(ordered, start=1)]
        outcomes = [sample["outcome"] for sample in samples]
        self.tally.close_item(read_table(found[0].value.get("metadata")))
        return {
            "item_id": item_id,
            "task": self.task,
            "language": NO_LANGUAGE,
            "script": NO_SCRIPT,
            "outcome": "answered" if "answered" in outcomes else outcomes[0],
            "content_sha256": content,
            "aliases": {"id": str(found[0].value["id"])[:200] or "empty"},
            "gold": read_content(found[0].value).gold,
            "samples": samples,
        }

    def _make_sample(self, found: FoundSample, number: int) -> ImportedSample:
        value = found.value
        scores, error = read_scores(value), read_error(value)
        given = {source: convert_score(find_score(scores, entry)) for source, entry in self.sources.items()}
        is_scored = any(one.value is not None for one in given.values())
        is_errored = bool(error) and not is_scored
        sample: ImportedSample = {
            "number": _read_number(value) or number,
            "outcome": "errored" if is_errored else "answered",
            "origin": [found.origin],
            "scores": {source: one.value for source, one in given.items()},
        }
        completion = read_completion(value)
        extracted: dict[str, str | None] = (
            {} if completion is None or (is_errored and not completion) else {COMPLETION: completion}
        )
        for entry in self.entries:
            extracted[entry.name] = read_answer(scores, entry, read_table(value.get("attachments")))
        sample["extracted"] = extracted
        if is_capped(value):
            sample["finish"] = "length"
            self.faults.add(i010_answer_at_cap, found.case, "its stop reason says so")
        self._add_flags(sample, found, completion, error, unconverted=any(one.unconverted for one in given.values()))
        self.tally.add_sample(
            f"{value['id']} epoch {sample['number']}",
            sample["scores"],
            errored=is_errored,
            unconverted=[source for source, one in given.items() if one.unconverted],
            edited=list_edited(scores),
        )
        return sample

    def _add_flags(
        self, sample: ImportedSample, found: FoundSample, completion: str | None, error: str, *, unconverted: bool
    ) -> None:
        limit = read_limit(found.value)
        is_empty = completion is not None and not completion.strip() and not error
        told = {"empty": is_empty, "error": bool(error), "limit": bool(limit), "unconverted": unconverted}
        flags = [name for name, is_met in told.items() if is_met]
        if flags:
            sample["flags"] = flags
        if error or limit:
            sample["reason"] = error or limit
        if is_empty and sample["outcome"] == "answered":
            self.faults.add(i028_empty_answer, found.case)


def _read_number(sample: Mapping[str, Any]) -> int | None:
    epoch = sample.get("epoch")
    return epoch if type(epoch) is int and 0 < epoch < 1 << 31 else None
