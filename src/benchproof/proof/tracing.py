"""One item's lines → its trace: pure, and every step recomputed (contract-archive §7).

What is recomputed: the prompt from axis and item, its SHA-256 against the raw line, the record from axis, item and raw
line, the score of a generated answer. The trace shows what follows from the raw line, never what a record claims.
"""

import math
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple, cast

from benchproof.archive import RecordingError, make_record, render_prompt
from benchproof.archive.names import items_path, records_path
from benchproof.archive.rules.axes import a047_template
from benchproof.archive.rules.lines import (
    a036_raw_line,
    a037_record_line,
    a038_raw_of_record,
    a039_prompt,
    a040_choice_record,
    a041_other_record,
    a042_one_record_an_item,
    a050_raw_of_item,
)
from benchproof.canon import canonical
from benchproof.proof.scoring import normalize_answer, score_record
from benchproof.proof.trace import AnswerTrace, CandidateTrace, ChoiceTrace, ItemTrace, Spot, Verdict
from benchproof.records.bench import CompiledItem, Normalization, ResolvedAxis
from benchproof.records.run import AnswerRecord, ChoiceRecord, RawChoice, RawGeneration, RawLine, RecordCandidate
from benchproof.rulebook import Finding

_FIELD = re.compile(r"\{([^{}]+)\}")


class LineOf(NamedTuple):
    """A line's place and value."""

    spot: Spot
    value: dict[str, Any]


class ItemLines(NamedTuple):
    """All that a run holds of one item; ``number`` is its line in the items file."""

    number: int
    item: CompiledItem
    record: LineOf | None
    raw: LineOf | None


def trace_lines(place: str, axis_key: str, axis: ResolvedAxis, lines: ItemLines, *, partial: bool) -> ItemTrace:
    """The trace of one item of the run at ``place``.

    In a partial run an item without lines was not asked, which is no fault.
    """
    item = lines.item
    prompt, faults = _render(f"{place}/{items_path(axis_key)}:{lines.number} ({item['item_id']})", axis, item)
    made: Mapping[str, Any] = {}
    if not faults:
        made, faults = _recompute(place, axis_key, axis, lines, partial=partial)
    raw: Mapping[str, Any] = {} if lines.raw is None else lines.raw.value
    choice = answer = score = None
    if made.get("outcome") == "answered":
        score = score_record(axis, item, made)
        if axis["type"] == "choice":
            choice = _trace_choice(cast("ChoiceRecord", made), cast("RawChoice", raw))
        else:
            answer = _trace_answer(axis, item, cast("AnswerRecord", made), cast("RawGeneration", raw))
    return ItemTrace(
        item_id=item["item_id"],
        axis_key=axis_key,
        language=item["language"],
        script=item["script"],
        register=item["register"],
        passage_id=item["passage_id"],
        headline=_find_headline(axis, item),
        line=lines.number,
        outcome=str(made.get("outcome", "not asked" if partial and lines.raw is None else "unknown")),
        score=score,
        verdict=_judge(score),
        prompt=prompt,
        prompt_sha256=sha256(prompt.encode("utf-8")).hexdigest(),
        prompt_tokens=raw.get("context_tokens", raw.get("prompt_tokens")),
        choice=choice,
        answer=answer,
        reason=_find_reason(made, raw),
        flags=tuple(raw.get("flags", ())),
        record=None if lines.record is None else lines.record.spot,
        raw=None if lines.raw is None else lines.raw.spot,
        faults=tuple(faults),
    )


def _render(place: str, axis: ResolvedAxis, item: CompiledItem) -> tuple[str, list[Finding]]:
    faults = list(a047_template(place, axis, item))
    return ("", faults) if faults else (render_prompt(axis, item), [])


def _recompute(
    place: str, axis_key: str, axis: ResolvedAxis, lines: ItemLines, *, partial: bool
) -> tuple[Mapping[str, Any], list[Finding]]:
    """The record that follows from the raw line, and what speaks against the record that was sealed."""
    item, record, raw = lines.item, lines.record, lines.raw
    if record is None:
        where = f"{place}/{records_path(axis_key)}"
        return {}, list(
            a042_one_record_an_item(where, item, is_recorded=False, is_cut_axis=partial, got=item["item_id"])
        )
    where = f"{place}/{record.spot.path}:{record.spot.line} ({item['item_id']})"
    faults = list(a038_raw_of_record(where, record.value, None if raw is None else raw.spot.sha256))
    if raw is None:
        return ({}, faults) if faults else (record.value, [])
    raw_where = f"{place}/{raw.spot.path}:{raw.spot.line} ({item['item_id']})"
    misfits = list(a036_raw_line(raw_where, canonical(raw.value), raw.value, before=None))
    if misfits:
        return {}, faults + misfits
    try:
        made = make_record(axis, item, cast("RawLine", raw.value))
    except RecordingError as error:
        return {}, faults + list(a050_raw_of_item(raw_where, error))
    if canonical(made) != canonical(record.value):
        faults += a037_record_line(where, canonical(record.value), record.value, before=None)
        faults += a039_prompt(where, record.value.get("prompt"), cast("Mapping[str, Any]", made).get("prompt"))
        faults += a040_choice_record(where, record.value, made)
        faults += a041_other_record(where, record.value, made)
    return made, faults


def _find_headline(axis: ResolvedAxis, item: CompiledItem) -> str:
    """The field that the template asks for last: the question, in every template that we know."""
    names = [name for name in _FIELD.findall(axis["prompt_template"]) if name in item["input"]]
    return item["input"][names[-1]] if names else ""


def _find_reason(made: Mapping[str, Any], raw: Mapping[str, Any]) -> str | None:
    reason, detail = made.get("reason"), raw.get("detail")
    return f"{reason}: {detail}" if reason and detail else reason


def _trace_choice(record: ChoiceRecord, raw: RawChoice) -> ChoiceTrace:
    candidates = tuple(
        CandidateTrace(
            text=candidate["text"],
            scored_text=candidate["scored_text"],
            logprob=candidate["logprob"],
            divisor=_find_divisor(record["normalization"], candidate),
            value=value,
            tokens=candidate["tokens"],
            chosen=index == record["chosen"],
            key=index == record["answer_index"],
        )
        for index, (candidate, value) in enumerate(zip(record["candidates"], record["values"], strict=True))
    )
    logprobs = raw["candidates"][record["chosen"]]["token_logprobs"]
    return ChoiceTrace(
        normalization=record["normalization"],
        candidates=candidates,
        chosen=record["chosen"],
        key=record["answer_index"],
        tie=record["tie"],
        batching=str(raw["batching"]),
        join_token=bool(raw["join_token"]),
        logprob_count=len(logprobs),
        logprob_sum=math.fsum(logprobs),
    )


def _find_divisor(normalization: Normalization, candidate: RecordCandidate) -> int:
    match normalization:
        case "none":
            return 1
        case "byte":
            return candidate["utf8_bytes"]
        case "token":
            return candidate["tokens"]


def _trace_answer(axis: ResolvedAxis, item: CompiledItem, record: AnswerRecord, raw: RawGeneration) -> AnswerTrace:
    references = tuple(item.get("references", ()))
    return AnswerTrace(
        text=record["answer"],
        sent=raw.get("sent"),
        finish=record["finish"],
        generated_tokens=record["generated_tokens"],
        params=dict(raw["params"]),
        references=references,
        normalized_answer=normalize_answer(axis, record["answer"]),
        normalized_references=tuple(normalize_answer(axis, one) or one for one in references),
    )


def _judge(score: float | None) -> Verdict:
    if score is None:
        return "not scored"
    if score == 1:
        return "right"
    return "wrong" if score == 0 else "partly"
