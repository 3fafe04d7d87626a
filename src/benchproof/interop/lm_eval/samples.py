"""Sample lines of lm-eval: one line a document and filter; an item is a document, told by its content.

Source: ``lm_eval/evaluator.py`` and ``lm_eval/api/task.py``, 0.4.9 to 0.4.13. A log holds ``doc_id`` too, which names
another document where samples were chosen in another order, so it is an alias only. Laws: a line that cannot be read
is said and left out, the others are read; a torn last line makes the run partial; two lines of one document under one
filter are two items, and said.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchproof.canon import StrictJsonError, sha256_hex, split_lines
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import NOT_FINITE, SURROGATE, read_json
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT
from benchproof.interop.lm_eval.limits import NO_LIMITS, TokenLimits, check_limits
from benchproof.interop.lm_eval.sample_fields import (
    count_questions,
    first_text,
    is_hex,
    list_arguments,
    read_choice_key,
    read_likelihood,
    read_scores,
)
from benchproof.interop.log_files import LogFile
from benchproof.interop.rules.lines import (
    LineFaults,
    i002_not_finite,
    i003_surrogate,
    i004_torn,
    i005_unreadable,
    i015_likelihood_not_finite,
    i025_other_digest,
    i028_empty_answer,
    i034_ids_out_of_order,
)
from benchproof.interop.shapes import WRONG_SHAPE, describe_fault
from benchproof.records.imported import ImportedCandidate, ImportedRecord, ImportedSample, Origin

_FILTER = re.compile(rb'"filter": ?"((?:[^"\\]|\\.)*)"')


def is_sample(line: Any) -> bool:
    """Whether a line is a sample of lm-eval."""
    return isinstance(line, dict) and {"doc_id", "doc", "arguments", "resps"} <= line.keys()


class _Spot(NamedTuple):
    number: int
    offset: int
    length: int


@dataclass
class SampleFile:
    """The samples of one task, read as imported records.

    ``delimiter`` stands before each scored continuation and is no part of a choice; ``kind`` is the task's output type.
    """

    file: LogFile
    task: str
    delimiter: str
    kind: str
    faults: LineFaults = field(repr=False)
    limits: TokenLimits = NO_LIMITS
    check_hashes: bool = True
    _last_id: int | None = field(default=None, repr=False)

    def records(self) -> Iterator[ImportedRecord]:
        """Every item with all filters of it; in one pass where there is one filter, else by document."""
        if len(self._survey_filters()) <= 1:
            yield from self._stream()
        else:
            yield from self._join_filters()

    def _survey_filters(self) -> set[bytes]:
        """Filters that may stand in the file; text inside a document can add one, never hide one."""
        found: set[bytes] = set()
        for _, _, line in self._lines(tell=False):
            found.update(_FILTER.findall(line))
            if len(found) > 1:
                break
        return found

    def _stream(self) -> Iterator[ImportedRecord]:
        times: Counter[str] = Counter()
        for number, _, line in self._lines():
            value = self._read(number, line)
            if value is None:
                continue
            content = self._digest(number, value)
            times[content] += 1
            yield from self._make([(number, line, value)], content, times[content])

    def _join_filters(self) -> Iterator[ImportedRecord]:
        spots: dict[tuple[str, int], list[_Spot]] = {}
        times: Counter[tuple[str, str]] = Counter()
        for number, offset, line in self._lines():
            value = self._read(number, line)
            if value is None:
                continue
            content = self._digest(number, value)
            key = content, str(value.get("filter", ""))
            times[key] += 1
            spots.setdefault((content, times[key]), []).append(_Spot(number, offset, len(line)))
        with self.file.opened() as stream:
            for (content, time), lines in spots.items():
                read = []
                for spot in lines:
                    stream.seek(spot.offset)
                    line = stream.read(spot.length)
                    read.append((spot.number, line, read_json(line, place=f"{self.file.place}:{spot.number}").value))
                yield from self._make(read, content, time)

    def _lines(self, *, tell: bool = True) -> Iterator[tuple[int, int, bytes]]:
        with self.file.opened() as stream:
            try:
                for number, offset, line in split_lines(stream, place=self.file.place):
                    if line.strip():
                        yield number, offset, line
            except StrictJsonError as error:
                if tell:
                    self.faults.add(i005_unreadable, error.line, error.what)

    def _read(self, number: int, line: bytes) -> dict[str, Any] | None:
        try:
            value, broken = read_json(line, place=f"{self.file.place}:{number}")
        except UnreadableLogError as error:
            if self._is_last(line):
                self.faults.add(i004_torn, number)
            else:
                self.faults.add(i005_unreadable, number, error.what)
            return None
        if not is_sample(value):
            self.faults.add(i005_unreadable, number, "the line is no sample of lm-eval")
            return None
        if NOT_FINITE in broken:
            self.faults.add(i002_not_finite, number)
        if SURROGATE in broken:
            self.faults.add(i003_surrogate, number)
        return dict(value)

    def _is_last(self, line: bytes) -> bool:
        """A last line without a line feed may have been torn by whoever was writing it."""
        with self.file.opened() as stream:
            stream.seek(max(0, self.file.size - len(line)))
            return stream.read() == line

    def _digest(self, number: int, value: Mapping[str, Any]) -> str:
        stated = value.get("doc_hash")
        if not self.check_hashes and is_hex(stated):
            return str(stated)
        computed = sha256_hex(json.dumps(value["doc"], indent=2, ensure_ascii=False).encode("utf-8", "replace"))
        if is_hex(stated) and stated != computed:
            self.faults.add(i025_other_digest, number, "doc_hash")
        return computed

    def _make(
        self, lines: list[tuple[int, bytes, dict[str, Any]]], content: str, time: int
    ) -> Iterator[ImportedRecord]:
        """The record of these lines, or none where one of them has a shape that no version wrote."""
        number, _, first = lines[0]
        self._check_order(first["doc_id"], number)
        self.faults.saw_item("doc_id", str(first["doc_id"]), content, number, is_again=time > 1)
        try:
            sample = self._make_sample(lines)
            gold = self._read_gold(first, sample)
        except WRONG_SHAPE as fault:
            self.faults.add(i005_unreadable, number, describe_fault(fault))
            return
        yield {
            "item_id": f"{NO_LANGUAGE}/{content[:16]}{'' if time == 1 else f'~{time}'}",
            "task": self.task,
            "language": NO_LANGUAGE,
            "script": NO_SCRIPT,
            "outcome": sample["outcome"],
            "content_sha256": content,
            "aliases": {"doc_id": str(first["doc_id"])},
            "gold": gold,
            "samples": [sample],
        }

    def _check_order(self, doc_id: Any, number: int) -> None:
        if type(doc_id) is not int:
            return
        if self._last_id is not None and doc_id < self._last_id:
            self.faults.add(i034_ids_out_of_order, number, "doc_id")
        self._last_id = doc_id

    def _make_sample(self, lines: list[tuple[int, bytes, dict[str, Any]]]) -> ImportedSample:
        number, _, first = lines[0]
        origin: list[Origin] = [
            {"path": self.file.path or self.file.name, "line": at, "sha256": sha256_hex(line)} for at, line, _ in lines
        ]
        scores: dict[str, float | None] = {}
        extracted: dict[str, str | None] = {}
        for at, _, value in lines:
            chosen = str(value.get("filter", "none"))
            scores |= read_scores(value, chosen)
            if self.kind == "generate_until":
                extracted[chosen] = first_text(value.get("filtered_resps"))
            self._check_prompt_hash(at, value)
        arguments = list_arguments(first.get("arguments"))
        prompt = arguments[0][0] if arguments and isinstance(arguments[0][0], str) else ""
        answer = first_text(first.get("resps")) if self.kind == "generate_until" else None
        check_limits(self.faults, number, self.limits, prompt, answer)
        sample: ImportedSample = {"number": 1, "outcome": "answered", "origin": origin, "scores": scores}
        if self.kind == "generate_until":
            sample["extracted"] = extracted
            if not (first_text(first.get("resps")) or "").strip():
                sample["flags"] = ["empty"]
                self.faults.add(i028_empty_answer, number)
        else:
            candidates = self._read_candidates(number, first)
            if candidates:
                sample["candidates"] = candidates
        return sample

    def _check_prompt_hash(self, number: int, value: Mapping[str, Any]) -> None:
        arguments = list_arguments(value.get("arguments"))
        stated = value.get("prompt_hash")
        if not self.check_hashes or not arguments or not is_hex(stated) or not isinstance(arguments[0][0], str):
            return
        if sha256_hex(arguments[0][0].encode("utf-8", "replace")) != stated:
            self.faults.add(i025_other_digest, number, "prompt_hash")

    def _read_candidates(self, number: int, value: Mapping[str, Any]) -> list[ImportedCandidate]:
        """Candidates with their likelihoods; the second half of 2k requests are the same choices without a question."""
        arguments = list_arguments(value.get("arguments"))
        answers = [read_likelihood(one) for one in value["resps"]] if isinstance(value["resps"], list) else []
        if not arguments or len(answers) != len(arguments) or None in answers:
            self.faults.add(i005_unreadable, number, "its answers are not one likelihood a request")
            return []
        likelihoods = [one for one in answers if one is not None]
        half = count_questions(arguments)
        varies = len({str(argument[-1]) for argument in arguments[:half]}) > 1
        candidates: list[ImportedCandidate] = []
        for index, (argument, (logprob, is_greedy)) in enumerate(zip(arguments[:half], likelihoods, strict=False)):
            # Where contexts differ and the continuation is one, the choice is the context.
            text = str(argument[-1] if varies or half == 1 else argument[0])
            candidate: ImportedCandidate = {"text": text.removeprefix(self.delimiter), "logprob": logprob}
            if is_greedy is not None:
                candidate["is_greedy"] = is_greedy
            if len(arguments) > half:
                candidate["unconditioned"] = likelihoods[half + index][0]
            if logprob is None:
                self.faults.add(i015_likelihood_not_finite, number)
            candidates.append(candidate)
        return candidates

    def _read_gold(self, value: Mapping[str, Any], sample: ImportedSample) -> list[int] | list[str]:
        target = value.get("target")
        if self.kind == "generate_until":
            return [str(one) for one in target] if isinstance(target, list) else [str(target)]
        if self.kind == "loglikelihood":
            return [0]
        return read_choice_key(target, [one["text"] for one in sample.get("candidates", ())])
