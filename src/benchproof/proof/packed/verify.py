#!/usr/bin/env python3
"""Checks a packed proof with nothing but Python: no network, no other package, no trust in the program that packed it.

    python -I -S verify.py               the folder that this file was unpacked into
    python -I -S verify.py proof.zip     a packed proof; nothing is extracted
    python -I -S verify.py PROOF --digest HEX      and compare its digest with one that you were given elsewhere

What it checks: every byte of the container and of every file; that manifests are canonical JSON; that each prompt is
what axis and item render to; that each record follows from its raw line, to the last bit; the numerators and
denominators of choice accuracy and of exact match (of another harness' run: of choice accuracy, from its records'
likelihoods). Everything else it calls "not recomputed here". It runs on Python 3.8 and newer.

Exit codes: 0 all that was checked holds; 1 something does not; 2 wrong call; 4 something could not be read.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
import os
import re
import stat
import string
import struct
import sys
import zlib
from typing import Any, BinaryIO, Iterator

SAFE = 2**53 - 1
LONGEST_LINE = 64 * 2**20
LARGEST_DOCUMENT = 64 * 2**20
HIGHEST_LOGPROB = 1e-6  # a probability is at most 1; this much is rounding
NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._+=@-]*)(?:/[A-Za-z0-9_][A-Za-z0-9._+=@-]*)*")
SUMS_LINE = re.compile(rb"([0-9a-f]{64})  ([^\n]+)\n")
SUMS, INDEX = "SHA256SUMS", "proof.json"
ALWAYS = ("unparsed", "errored", "truncated", "excluded")
PUNCTUATION = str.maketrans("", "", string.punctuation)
ARTICLES = re.compile(r"\b(a|an|the)\b")


class BrokenError(Exception):
    """Something does not hold; the text says what and where."""


# Canonical JSON (RFC 8785), with integers kept below 2^53.


def write_number(value: float) -> str:
    """A number as ECMAScript spells it."""
    if isinstance(value, int) or value == int(value):
        if abs(value) > SAFE:
            raise BrokenError("a number beyond 2^53 in canonical JSON")
        return str(int(value))
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if 0 < point <= 21:
        return sign + digits[:point].ljust(point, "0") + ("." + digits[point:] if len(digits) > point else "")
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return "%s%s%se%+d" % (sign, digits[0], rest, point - 1)


def write(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, (int, float)):
        return write_number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(write(key) + ":" + write(value[key]) for key in keys) + "}"


def canonical(value: Any) -> bytes:
    return write(value).encode("utf-8")


def refuse_constant(name: str) -> None:
    raise ValueError("%s is no number of JSON" % name)


def read_integer(text: str) -> int:
    if len(text) > 17:
        raise ValueError("%s… is beyond 2^53" % text[:17])
    return int(text)


def read_canonical(data: bytes, place: str) -> Any:
    """The value of canonical JSON; what is written twice, oddly or out of order is not canonical."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=refuse_constant, parse_int=read_integer)
        same = canonical(value) == data
    except (ValueError, OverflowError, RecursionError, BrokenError) as error:
        raise BrokenError("%s: not canonical JSON: %s" % (place, error)) from error
    if not same:
        raise BrokenError("%s: not canonical JSON" % place)
    return value


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    return sha256(canonical(value))


# Where a proof's files are: in a folder, or in a container of exactly one form.


class Slice(io.RawIOBase):
    """A stretch of a file."""

    def __init__(self, file: BinaryIO, offset: int, size: int) -> None:
        self.file, self.offset, self.size, self.at = file, offset, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, self.size)[whence]
        return self.at

    def readinto(self, buffer: Any) -> int:
        self.file.seek(self.offset + self.at)
        data = self.file.read(max(0, min(len(buffer), self.size - self.at)))
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


class Packed:
    """A container: stored members by name, each header as it must be, nothing before, between or behind them."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        self.file = file
        self.spans: dict[str, tuple[int, int, int]] = {}
        size = file.seek(0, 2)
        end = self.slice(max(0, size - 22), min(22, size))
        if len(end) < 22 or end[:4] != b"PK\5\6":
            raise BrokenError("%s: no container as pack writes it: its last 22 bytes are not its end" % path)
        count, length, start = struct.unpack("<H2I", end[10:20])
        if (
            end != struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, length, start, 0)
            or start + length + 22 != size
        ):
            raise BrokenError("%s: the end of the container is not as pack writes it" % path)
        if length > count * (46 + 1000):
            raise BrokenError("%s: the directory is longer than its members need" % path)
        directory = self.slice(start, length)
        at = offset = 0
        before = ""
        for _ in range(count):
            if len(directory) < at + 46:
                raise BrokenError("%s: the directory is torn" % path)
            crc, _, size_of, length_of_name = struct.unpack("<3IH", directory[at + 16 : at + 30])
            name = directory[at + 46 : at + 46 + length_of_name].decode("utf-8", "backslashreplace")
            check_name(name)
            raw = name.encode("ascii")
            facts = (20, 0, 0, 0, 0x21, crc, size_of, size_of, len(raw), 0)
            local = struct.pack("<4s5H3I2H", b"PK\3\4", *facts) + raw
            central = struct.pack("<4s6H3I5H2I", b"PK\1\2", 0x314, *facts, 0, 0, 0, 0o100644 << 16, offset) + raw
            if directory[at : at + len(central)] != central or self.slice(offset, len(local)) != local:
                raise BrokenError(
                    "%s: %s: a header is not as pack writes it (compressed, encrypted, a link?)" % (path, name)
                )
            if name <= before:
                raise BrokenError("%s: %s: members stand twice, or not by name" % (path, name))
            self.spans[name] = (offset + len(local), size_of, crc)
            offset, at, before = offset + len(local) + size_of, at + len(central), name
        if at != length or offset != start:
            raise BrokenError("%s: there are bytes between members and directory" % path)

    def slice(self, offset: int, size: int) -> bytes:
        self.file.seek(offset)
        return self.file.read(size)

    def names(self) -> set[str]:
        return set(self.spans)

    def open(self, name: str) -> BinaryIO:
        offset, size, _crc = self.spans[name]
        return io.BufferedReader(Slice(self.file, offset, size), 1 << 16)

    def check_crc(self, name: str, crc: int) -> bool:
        return self.spans[name][2] == crc


class Unpacked:
    """A folder that a proof was unpacked into; links and anything but files are refused."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.files: set[str] = set()
        for folder, folders, files in os.walk(path, onerror=self.give_up):
            for name in folders + files:
                whole = os.path.join(folder, name)
                kind = os.lstat(whole).st_mode
                relative = os.path.relpath(whole, path).replace(os.sep, "/")
                if stat.S_ISDIR(kind):
                    continue
                if not stat.S_ISREG(kind):
                    raise BrokenError("%s: a link or no regular file" % relative)
                check_name(relative)
                self.files.add(relative)

    @staticmethod
    def give_up(error: OSError) -> None:
        raise error

    def names(self) -> set[str]:
        return self.files

    def open(self, name: str) -> BinaryIO:
        return open(os.path.join(self.path, name), "rb")

    def check_crc(self, name: str, crc: int) -> bool:
        return bool(name) and crc >= 0  # a folder has no such headers


def check_name(name: str) -> None:
    if not NAME.fullmatch(name) or ".." in name.split("/") or any(part.endswith(".") for part in name.split("/")):
        raise BrokenError("%r: no name of a file of a proof" % name)


def read_whole(proof: Packed | Unpacked, name: str, limit: int = LARGEST_DOCUMENT) -> bytes:
    if name not in proof.names():
        raise BrokenError("%s: missing" % name)
    with proof.open(name) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise BrokenError("%s: too large" % name)
    return data


def read_lines(proof: Packed | Unpacked, name: str) -> Iterator[tuple[int, int, bytes, Any]]:
    """Line number, offset, bytes without the line feed, and value."""
    with proof.open(name) as stream:
        number = offset = 0
        while True:
            line = stream.readline(LONGEST_LINE + 1)
            if not line:
                return
            number += 1
            place = "%s:%d" % (name, number)
            if not line.endswith(b"\n"):
                raise BrokenError("%s: the line has no end" % place)
            yield number, offset, line[:-1], read_canonical(line[:-1], place)
            offset += len(line)


def check_sums(proof: Packed | Unpacked, report: Report) -> dict[str, tuple[int, str]]:
    """Every file has the digest that SHA256SUMS lists, and there is no other file. Sizes and digests by name."""
    data = read_whole(proof, SUMS)
    sums = {match[1].decode("utf-8", "backslashreplace"): match[0].decode() for match in SUMS_LINE.findall(data)}
    if data != "".join("%s  %s\n" % (sums[name], name) for name in sorted(sums)).encode():
        report.fault("%s: not as pack writes it" % SUMS)
    facts = {}
    for name in sorted(proof.names()):
        size, crc, hashed = 0, 0, hashlib.sha256()
        with proof.open(name) as stream:
            for block in iter(lambda: stream.read(1 << 20), b""):
                size, crc = size + len(block), zlib.crc32(block, crc)
                hashed.update(block)
        facts[name] = (size, hashed.hexdigest())
        if not proof.check_crc(name, crc):
            report.fault("%s: the checksum in its header is another" % name)
        if name != SUMS and sums.get(name) != facts[name][1]:
            report.fault("%s: %s" % (name, "changed" if name in sums else "not listed in " + SUMS))
    for name in sorted(set(sums) - set(facts)):
        report.fault("%s: missing" % name)
    report.bytes = sum(size for size, _sha256 in facts.values())
    report.digest = sha256(data)
    return facts


# From axis, item and raw line to the record of the item.


def render(template: str, fields: dict[str, Any]) -> str:
    """``{name}`` is a field, ``{{`` and ``}}`` are braces, and nothing else is special."""

    def fill(match: re.Match[str]) -> str:
        if match.group() in ("{{", "}}"):
            return match.group()[0]
        value = fields.get(match.group(1)) if match.group(1) else None
        if not isinstance(value, str):
            raise BrokenError("the template asks for %s, which is no field" % match.group())
        return value

    return re.sub(r"\{\{|\}\}|\{([^{}]+)\}|[{}]", fill, template)


def render_prompt(axis: Any, item: Any) -> str:
    scoring, template = axis["scoring"], axis["prompt_template"]
    separator = axis["harness"]["task_config"].get("demonstration_separator", "\n\n")
    shots = [
        render(template, shot["input"])
        + scoring["candidate_prefix"]
        + shot["answer"]
        + scoring["candidate_suffix"]
        + separator
        for shot in axis["demonstrations"]
    ]
    return "".join(shots) + render(template, item["input"])


def make_candidate(text: str, scored_text: str, scored: Any) -> dict[str, Any]:
    logprobs = scored["token_logprobs"]
    if not logprobs or len(logprobs) != len(scored["token_ids"]) or max(logprobs) > HIGHEST_LOGPROB:
        raise BrokenError("log-probabilities that do not fit the tokens, or above 0")
    size = len(scored_text.encode("utf-8"))
    total = math.fsum(logprobs)
    return {"text": text, "scored_text": scored_text, "utf8_bytes": size, "tokens": len(logprobs), "logprob": total}


def make_record(axis: Any, item: Any, raw: Any, raw_sha256: str | None) -> dict[str, Any]:
    """The record that follows from axis, item and raw line; ``raw`` is None for an item that was not asked."""
    record = {key: item[key] for key in ("item_id", "task", "language", "script")}
    if raw is None:
        return dict(record, outcome="excluded", reason=item["exclusion_reason"] or "excluded")
    prompt = render_prompt(axis, item)
    asked = sha256(raw["prompt"].encode("utf-8")) if "prompt" in raw else raw["prompt_sha256"]
    call = "loglikelihood" if axis["type"] == "choice" else "generate"
    if (raw["axis"], raw["item_id"], raw["call"]) != (axis["axis"], item["item_id"], call):
        raise BrokenError("the raw line is of another axis, item or call")
    if asked != sha256(prompt.encode("utf-8")):
        raise BrokenError("the model was asked another prompt than axis and item render to")
    record["raw_sha256"] = raw_sha256
    if "error" in raw:
        outcome = "truncated" if raw["error"] == "context-overflow" else "errored"
        return dict(record, outcome=outcome, reason=raw["error"])
    if call == "generate":
        tokens = len(raw["token_ids"])
        return dict(record, outcome="answered", answer=raw["text"], finish=raw["finish"], generated_tokens=tokens)
    scoring = axis["scoring"]
    if len(item["choices"]) != len(raw["candidates"]):
        raise BrokenError("another number of candidates than choices")
    candidates = [
        make_candidate(text, scoring["candidate_prefix"] + text + scoring["candidate_suffix"], scored)
        for text, scored in zip(item["choices"], raw["candidates"])
    ]
    rule = scoring["normalization"]
    values = normalize(candidates, rule)
    chosen = values.index(max(values))
    return dict(
        record,
        outcome="answered",
        prompt=prompt,
        candidates=candidates,
        normalization=rule,
        values=values,
        chosen=chosen,
        answer_index=item["answer_index"],
        correct=chosen == item["answer_index"],
        tie=values.count(max(values)) > 1,
    )


LENGTHS: dict[str, Any] = {
    "none": lambda one: 1 if one else 0,
    "byte": lambda one: one["utf8_bytes"],
    "token": lambda one: one["tokens"],
    "char@lm-eval": lambda one: len(one["text"]),
    "byte@lm-eval": lambda one: len(one["text"].encode("utf-8")),
}


def measure_length(candidate: Any, rule: str) -> int:
    return int(LENGTHS[rule](candidate))


def normalize(candidates: list[Any], rule: str) -> list[float]:
    """Each candidate's log-probability, divided by its length under the rule in one division."""
    values = [one["logprob"] / measure_length(one, rule) for one in candidates]
    if any(value != value for value in values):
        raise BrokenError("a value that is no number")
    return values


class Axis:
    """One axis in one language. A score sheet's numbers are counted from ``scores``: an item each, by metric."""

    protocol = "resolved"

    def __init__(self, proof: Packed | Unpacked, place: str, stated: Any, report: Report) -> None:
        self.proof, self.stated, self.report = proof, stated, report
        self.key = "%s.%s" % (stated["axis"], stated["language"])
        self.files = self.name_files(place)
        self.is_here = self.protocol in stated["protocol"] and set(self.files.values()) <= proof.names()
        self.cut = stated["items"]["selection"] == "cut"
        self.scores: dict[str, list[tuple[str | None, str, float, bool]]] = {}
        self.unknown = 0  # planned items of which nothing but their number is known

    def name_files(self, place: str) -> dict[str, str]:
        return {
            "axis": "%s/attachments/axes/%s.json" % (place, self.key),
            "items": "%s/attachments/items/%s.ndjson" % (place, self.key),
            "raw": "%s/raw/%s.ndjson" % (place, self.key),
            "records": "%s/records/%s.ndjson" % (place, self.key),
        }

    def read_axis(self) -> None:
        data = read_whole(self.proof, self.files["axis"])
        self.axis = read_canonical(data, self.files["axis"])
        if sha256(data) != self.stated["protocol"][self.protocol]:
            self.report.fault("%s: not the axis that the manifest names" % self.files["axis"])
        for key in ("axis", "language", "script", "benchmark", "metric"):
            if self.axis[key] != self.stated[key]:
                self.report.fault("%s: the manifest states another %s" % (self.files["axis"], key))
        facts = dict(self.axis["dataset"])
        facts["digest"] = facts.get("sha256", self.stated["dataset"].get("digest"))
        if any(facts.get(key, value) != value for key, value in self.stated["dataset"].items()):
            self.report.fault("%s: the manifest states another data set" % self.files["axis"])

    def recompute(self) -> None:
        self.read_axis()
        self.members = self.scores.setdefault(self.axis["metric"], [])
        lines: dict[str, tuple[int, int]] = {}
        for number, offset, line, item in read_lines(self.proof, self.files["items"]):
            if item["item_id"] in lines:
                self.report.fault("%s:%d: the item stands twice" % (self.files["items"], number))
            if any(item[key] != self.axis[key] for key in ("task", "language", "script")):
                self.report.fault("%s:%d: the item is of another axis" % (self.files["items"], number))
            lines[item["item_id"]] = (offset, len(line))
        planned = self.stated["items"]
        if planned["planned"] != len(lines) or (not self.cut and planned["digest"] != digest(sorted(lines))):
            self.report.fault("%s: other items than were planned" % self.files["items"])
        with self.proof.open(self.files["items"]) as self.items:
            self.check_records(lines)

    def check_records(self, lines: dict[str, tuple[int, int]]) -> None:
        raws = read_lines(self.proof, self.files["raw"])
        raw = next(raws, None)
        counts: dict[str, int] = {}
        before: str | None = None
        for number, _, line, record in read_lines(self.proof, self.files["records"]):
            name, place = record["item_id"], "%s:%d (%s)" % (self.files["records"], number, record["item_id"])
            if name not in lines or (before is not None and name <= before):
                self.report.fault("%s: no item of the axis, or a line out of order" % place)
                continue
            before = name
            own = raw is not None and raw[3]["item_id"] == name
            self.check_record(place, self.find(lines.pop(name)), line, record, raw if own else None)
            raw = next(raws, None) if own else raw
            counts[record["outcome"]] = counts.get(record["outcome"], 0) + 1
        if raw is not None:
            self.report.fault("%s:%d: a raw line without its record" % (self.files["raw"], raw[0]))
        for span in lines.values():
            item = self.find(span)
            if item["excluded"] or not self.cut:
                self.report.fault("%s: no record of %s" % (self.files["records"], item["item_id"]))
            self.members.append((item["register"], "unasked", 0.0, False))
        if counts != self.stated["counts"]:
            self.report.fault("%s: the manifest counts other outcomes" % self.files["records"])

    def find(self, span: tuple[int, int]) -> Any:
        self.items.seek(span[0])
        return json.loads(self.items.read(span[1]).decode("utf-8"))

    def check_record(self, place: str, item: Any, line: bytes, record: Any, raw: Any) -> None:
        try:
            excluded = item["excluded"] or record["outcome"] == "excluded"
            if excluded and raw is None:
                reason = (item["exclusion_reason"] or "excluded") if item["excluded"] else record["reason"]
                expected = make_record(self.axis, dict(item, exclusion_reason=reason), None, None)
            else:
                expected = make_record(self.axis, item, raw[3], sha256(raw[2]))
            if canonical(expected) != line:
                raise BrokenError("the record does not follow from axis, item and raw line")
            self.report.records += 1
        except (BrokenError, KeyError, TypeError, IndexError, ValueError, ArithmeticError) as error:
            self.report.fault(
                "%s: %s" % (place, error if isinstance(error, BrokenError) else "not a record: %r" % error)
            )
            return
        outcome = "excluded" if item["excluded"] else record["outcome"]
        right, tie = 0.0, False
        if outcome == "answered":
            outcome = "scored"
            if self.axis["metric"] in SCORERS:
                score, rule = SCORERS[self.axis["metric"]]
                right, tie = score(item, record, rule)
        self.members.append((item["register"], outcome, right, tie))


class ImportedAxis(Axis):
    """An axis that another harness measured: what its records say of likelihoods is counted, and no more.

    Whether the records follow from that harness' log is not looked at here.
    """

    protocol = "imported"

    def name_files(self, place: str) -> dict[str, str]:
        return {name: path for name, path in super().name_files(place).items() if name in ("axis", "records")}

    def recompute(self) -> None:
        self.read_axis()
        rules = {one["metric"]: SCORERS.get(one["rule"], (None, None)) for one in self.axis["metrics"]}
        chosen = {metric: rule for metric, (score, rule) in rules.items() if score is choice_accuracy}
        self.scores = {metric: [] for metric in chosen}
        names: list[str] = []
        counts: dict[str, int] = {}
        for number, _, _, record in read_lines(self.proof, self.files["records"]):
            counts[record["outcome"]] = counts.get(record["outcome"], 0) + 1
            names.append(record["item_id"])
            if names[-2:] != sorted(set(names[-2:])):
                self.report.fault("%s:%d: a line out of order" % (self.files["records"], number))
            for metric, rule in chosen.items():
                self.scores[metric].append(self.judge(record, rule))
        planned = self.stated["items"]
        if not self.cut and (planned["planned"] != len(names) or planned["digest"] != digest(names)):
            self.report.fault("%s: other items than were planned" % self.files["records"])
        if counts != self.stated["counts"]:
            self.report.fault("%s: the manifest counts other outcomes" % self.files["records"])
        self.unknown = max(0, self.axis["planned"] - len(names))

    @staticmethod
    def judge(record: Any, rule: str) -> tuple[str | None, str, float, bool]:
        """The mean over the samples of an item that have a likelihood for each candidate."""
        found = []
        for sample in record["samples"]:
            candidates = [
                dict(one, utf8_bytes=len(one["text"].encode("utf-8")), tokens=one.get("tokens", 0))
                for one in sample.get("candidates", ())
            ]
            lengths = [measure_length(one, rule) for one in candidates]
            known = all(one["logprob"] is not None for one in candidates) and all(lengths)
            if sample["outcome"] == "answered" and candidates and known:
                values = normalize(candidates, rule)
                found.append((values.index(max(values)) in record["gold"], values.count(max(values)) > 1))
        if found:
            return None, "scored", sum(right for right, _ in found) / len(found), any(tie for _, tie in found)
        return None, "unparsed" if record["outcome"] == "answered" else record["outcome"], 0.0, False


# From records to the numbers of a score sheet.


def squad(text: str) -> str:
    return " ".join(ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split())


def exact_match(item: Any, record: Any, version: str) -> tuple[bool, bool]:
    golds = [squad(one) for one in item["references"]]
    if version == "v2.0":
        golds = [one for one in golds if one] or [""]
    return squad(record["answer"]) in golds, False


def choice_accuracy(item: Any, record: Any, rule: str) -> tuple[bool, bool]:
    values = normalize(record["candidates"], rule)
    return values.index(max(values)) == item["answer_index"], values.count(max(values)) > 1


SCORERS: dict[str, Any] = {"choice-accuracy.%s" % rule: (choice_accuracy, rule) for rule in ("none", "byte", "token")}
SCORERS.update({"choice-accuracy.%s@lm-eval" % rule: (choice_accuracy, rule + "@lm-eval") for rule in ("char", "byte")})
SCORERS.update({"exact-match.squad-%s" % version: (exact_match, version) for version in ("v1.1", "v2.0")})


def count_number(number: Any, axis: Axis) -> dict[str, Any] | None:
    """What the number must say, counted from the records; None for what is not known here."""
    name, _, wanted = number["slice"].partition("=")
    if name not in ("all", "register") or number["metric"] not in axis.scores:
        return None
    members = [one for one in axis.scores[number["metric"]] if name == "all" or one[0] == wanted]
    scored = [(score, tie) for _register, outcome, score, tie in members if outcome == "scored"]
    total = math.fsum(score for score, _tie in scored)
    excluded = dict.fromkeys(ALWAYS, 0)
    for _register, outcome, _score, _tie in members:
        if outcome != "scored":
            excluded[outcome] = excluded.get(outcome, 0) + 1
    if axis.unknown:
        excluded["unasked"] = excluded.get("unasked", 0) + axis.unknown
    counted: dict[str, Any] = {
        "dataset": axis.axis["dataset"]["slug"],
        "value": float("%.12g" % (total / len(scored))) if scored else None,
        "numerator": total if scored else None,
        "denominator": len(scored),
        "planned": len(members) + axis.unknown,
        "excluded": excluded,
    }
    if "ties" in number:
        counted["ties"] = sum(tie for _score, tie in scored)
    return counted


def base32(text: str) -> str:
    return base64.b32encode(bytes.fromhex(text)).decode().lower()


def make_tag(manifest_sha256: str, number: Any, judgings: Any) -> str:
    identity = {key: number[key] for key in ("axis", "dataset", "language", "slice", "metric")}
    identity.update(scorer=number["metric"], judgings=judgings)
    return base32(manifest_sha256)[:4] + base32(digest(identity))[:8]


def check_sheet(proof: Packed | Unpacked, run: Any, axes: dict[str, Axis], report: Report) -> dict[str, Any]:
    sheet = read_canonical(read_whole(proof, run["sheet"]), run["sheet"])
    if sheet["of"] != {"id": run["id"], "sha256": run["sha256"]}:
        report.fault("%s: the score sheet is of another run" % run["sheet"])
    for number in sheet["numbers"]:
        place = "%s: %s" % (run["sheet"], number["tag"])
        axis = axes.get("%s.%s" % (number["axis"], number["language"]))
        imported = axis is not None and "resolved" not in axis.stated["protocol"]
        tag = make_tag(run["sha256"], number, sheet["judgings"])
        if number["tag"][:4] != tag[:4] or (number["tag"] != tag and not imported):
            report.fault("%s: not the tag of this number" % place)
        if axis is None or not axis.is_here:
            report.skip(number, "what it follows from was left out")
        else:
            counted = count_number(number, axis)
            if counted is None or (not imported and number["metric"] not in SCORERS):
                report.skip(number, "%s, %s" % (number["metric"].partition("/")[0], number["slice"]))
            elif any(number[key] != counted[key] for key in counted):
                report.fault("%s: its records give %s" % (place, write(counted)))
            else:
                report.numbers += 1
    return {number["tag"]: number for number in sheet["numbers"]}


def check_run(proof: Packed | Unpacked, run: Any, facts: dict[str, tuple[int, str]], report: Report) -> dict[str, Any]:
    """One run: its manifest, its files, its records, its numbers. The numbers by tag."""
    place = "runs/%s" % run["id"]
    path = place + "/manifest.json"
    data = read_whole(proof, path)
    manifest = read_canonical(data, path)
    if sha256(data) != run["sha256"] or manifest["id"] != run["id"]:
        report.fault("%s: not the run that %s names" % (path, INDEX))
    left_out = {entry["path"]: entry for entry in run["left_out"]}
    for entry in manifest["files"]:
        name = "%s/%s" % (place, entry["path"])
        if entry["path"] in left_out:
            gone = left_out.pop(entry["path"])
            if name in facts or any(gone[key] != entry[key] for key in ("path", "bytes", "sha256")):
                report.fault("%s: said to be left out, and is here or is another" % name)
            report.left_out += 1
        elif facts.get(name) != (entry["bytes"], entry["sha256"]):
            report.fault("%s: not the file that the manifest lists, or missing" % name)
    listed = {"%s/%s" % (place, entry["path"]) for entry in manifest["files"]}
    for name in sorted(name for name in facts if name.startswith(place + "/") and name not in listed | {path}):
        report.fault("%s: not listed in the manifest" % name)
    if left_out:
        report.fault("%s: files are said to be left out that the manifest does not list" % path)
    axes = {}
    for stated in manifest["axes"]:
        kind = ImportedAxis if ImportedAxis.protocol in stated["protocol"] else Axis
        axis = kind(proof, place, stated, report)
        axes[axis.key] = axis
        if axis.is_here:
            axis.recompute()
            if kind is ImportedAxis:
                report.logs.append("%s: whether its records follow from the other harness' log" % axis.key)
    return check_sheet(proof, run, axes, report) if run["sheet"] else {}


def check_scorers(proof: Packed | Unpacked, index: Any, report: Report) -> None:
    """The sources here are those whose digest the score sheets name."""
    for scorer in index["scorers"]:
        sources = [{"path": one, "sha256": sha256(read_whole(proof, "scorers/" + one))} for one in scorer["sources"]]
        if digest(sources) != scorer["digest"]:
            report.fault("scorers: not the sources of %s %s" % (scorer["slug"], scorer["version"]))


def check_names(proof: Packed | Unpacked, index: Any, report: Report) -> None:
    """Every file is one that the index speaks of; those of runs are compared with their manifests."""
    known = {SUMS, INDEX, "index.html", "WHAT-THIS-PROVES.txt", "verify.py"}
    known.update("scorers/" + one for scorer in index["scorers"] for one in scorer["sources"])
    known.update(run["sheet"] for run in index["runs"])
    for name in sorted(proof.names() - known):
        parts = name.split("/")
        if (
            len(parts) < 3
            or parts[0] not in ("runs", "outcomes")
            or parts[1] not in [run["id"] for run in index["runs"]]
        ):
            report.fault("%s: not a file that %s speaks of" % (name, INDEX))


class Report:
    """What was found, counted as it goes."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.skipped: dict[str, list[str]] = {}
        self.logs: list[str] = []
        self.digest = ""
        self.bytes = self.records = self.numbers = self.left_out = 0

    def fault(self, text: str) -> None:
        self.faults.append(text)

    def skip(self, number: Any, why: str) -> None:
        self.skipped.setdefault("%s.%s: %s" % (number["axis"], number["language"], why), []).append(number["tag"])


def check(proof: Packed | Unpacked, report: Report) -> list[str]:
    """Look at all of it; the lines to print for the numbers that the proof was packed for."""
    facts = check_sums(proof, report)
    if report.faults:
        return []  # the rest would be read from bytes that are not those packed
    index = read_canonical(read_whole(proof, INDEX), INDEX)
    if index.get("kind") != "proof" or index.get("schema_version") != 1:
        raise BrokenError("%s: not an index that this verifier reads" % INDEX)
    check_scorers(proof, index, report)
    check_names(proof, index, report)
    by_run = {run["id"]: check_run(proof, run, facts, report) for run in index["runs"]}
    lines = []
    for wanted in index["numbers"]:
        number = by_run.get(wanted["run"], {}).get(wanted["tag"])
        if number is None:
            report.fault("%s: no number of this tag is in the proof" % wanted["tag"])
        else:
            head = "%(tag)s  %(metric)s  %(dataset)s  %(language)s  %(slice)s: " % number
            value = "no value" if number["value"] is None else "%.12g" % number["value"]
            share = "%s scored" if number["numerator"] is None else "%s of %%s" % number["numerator"]
            lines.append(head + "%s (%s, planned %s)" % (value, share % number["denominator"], number["planned"]))
    return lines


def say(text: str) -> None:
    """One line on stdout, with what a terminal would obey spelt out."""
    shown = "".join(one if one.isprintable() else "\\u%04x" % ord(one) for one in text)
    sys.stdout.buffer.write(shown.encode("utf-8", "backslashreplace") + b"\n")


def main(words: list[str]) -> int:
    given = None
    if "--digest" in words[:-1]:
        at = words.index("--digest")
        given, words = words[at + 1].lower(), words[:at] + words[at + 2 :]
    if len(words) > 1 or any(word.startswith("-") for word in words):
        say(__doc__.split("\n\n")[1].replace("\n", "; ").strip())
        return 2
    path = words[0] if words else os.path.dirname(os.path.abspath(__file__))
    report = Report()
    lines: list[str] = []
    try:
        if os.path.isdir(path):
            lines = check(Unpacked(path), report)
        else:
            with open(path, "rb") as file:
                lines = check(Packed(path, file), report)
    except BrokenError as error:
        report.fault(str(error))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        report.fault("a document in the proof is not of its shape: %r" % error)
    except FileNotFoundError as error:
        say("cannot open %s: %s" % (path, error.strerror))
        return 2
    except OSError as error:
        say("cannot read %s: %s" % (path, error.strerror))
        return 4
    if given is not None and given != report.digest:
        report.fault("%s: digest %s, not the one that you were given" % (SUMS, report.digest))
    for line in lines if not report.faults else []:
        say(line)
    conclude(report, given)
    return 1 if report.faults else 0


def conclude(report: Report, given: str | None) -> None:
    for fault in report.faults[:100]:
        say("FAULT " + fault)
    if len(report.faults) > 100:
        say("… and %d more" % (len(report.faults) - 100))
    said = "NO: %d faults" % len(report.faults) if report.faults else "yes (%.1f MB)" % (report.bytes / 1e6)
    if report.left_out:
        said += "; %d files of the runs were left out of the proof" % report.left_out
    say("intact       " + said)
    say("recomputed   %d records, %d numbers" % (report.records, report.numbers))
    for why, tags in sorted(report.skipped.items()):
        say("not recomputed here: %s (%d: %s)" % (why, len(tags), " ".join(tags)))
    for line in report.logs:
        say("not recomputed here: " + line)
    say("not recomputed here: intervals, chance, flags, and what index.html shows")
    say("re-asked     not done here: benchproof rerun PROOF --sample 20 --seed N")
    say(
        "digest       %s of %s, %s"
        % (report.digest or "none", SUMS, "as given" if given == report.digest else "compared with nothing")
    )
    say(
        "Not proven: that the model said this; that nobody rewrote all of it consistently, unless the digest is one "
        "that you had before."
    )


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output went away before it was out: no verdict
        os._exit(4)
    sys.exit(code)
