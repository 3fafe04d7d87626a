"""From a raw line to the record of its item: pure, bit-reproducible, the same at run and at verify.

A candidate's ``logprob`` is ``math.fsum`` of its token log-probabilities (nat), none of which is above 0; values and
choice are those of ``measure.choice``. Sources: contract-archive §7; contract-formats.
"""

import math
from hashlib import sha256
from typing import TypedDict, cast

from benchproof.archive.errors import ImpossibleLogprobError, RecordingError
from benchproof.archive.rendering import candidate_texts, render_prompt
from benchproof.canon import MAX_SAFE_INTEGER, digest
from benchproof.measure.choice import choice_values, pick_first_max
from benchproof.measure.errors import MeasureError
from benchproof.records.bench import CompiledItem, Normalization, ResolvedAxis
from benchproof.records.run import (
    AnswerRecord,
    ChoiceRecord,
    FailureRecord,
    ItemRecord,
    RawCandidate,
    RawChoice,
    RawFailure,
    RawGeneration,
    RawLine,
    RecordCandidate,
)


class _Identity(TypedDict):
    """The four keys that each record begins with."""

    item_id: str
    task: str
    language: str
    script: str


# A failure of this name is the item's own (it does not fit the context window); every other is the machine's.
OVERFLOW = "context-overflow"
# A probability is at most 1. What a log-softmax in single precision adds by rounding stays below this (nat).
HIGHEST_LOGPROB = 1e-6


def make_record(axis: ResolvedAxis, item: CompiledItem, raw: RawLine) -> ItemRecord:
    """The record that follows from axis, item and raw line alone; ``RecordingError`` where they do not fit."""
    return make_record_of(axis, item, raw, raw_sha256=digest(raw))


def make_record_of(axis: ResolvedAxis, item: CompiledItem, raw: RawLine, *, raw_sha256: str) -> ItemRecord:
    """As ``make_record``, for a caller who has the raw line's digest already."""
    place = f"{axis['axis']}.{axis['language']}: {item['item_id']}"
    if raw["axis"] != axis["axis"] or raw["item_id"] != item["item_id"]:
        raise RecordingError(
            "the raw line is of another axis or item", place=place, got=f"{raw['axis']}: {raw['item_id']}"
        )
    expected_call = "loglikelihood" if axis["type"] == "choice" else "generate"
    if raw["call"] != expected_call:
        raise RecordingError("the raw line is of another kind of call", place=place, got=raw["call"])
    if "error" in raw:
        return _record_failure(axis, item, cast("RawFailure", raw), raw_sha256, place)
    if raw["call"] == "loglikelihood":
        return _record_choice(axis, item, raw, raw_sha256, place)
    return _record_answer(axis, item, raw, raw_sha256, place)


def make_exclusion(item: CompiledItem, reason: str) -> FailureRecord:
    """The record of an item that was not asked, and why."""
    return {
        "item_id": item["item_id"],
        "task": item["task"],
        "language": item["language"],
        "script": item["script"],
        "outcome": "excluded",
        "reason": reason,
    }


def _record_choice(axis: ResolvedAxis, item: CompiledItem, raw: RawChoice, raw_sha256: str, place: str) -> ChoiceRecord:
    prompt = _rendered(axis, item, raw["prompt_sha256"], place)
    texts = candidate_texts(axis, item)
    if len(texts) != len(raw["candidates"]) or not texts or "answer_index" not in item:
        raise RecordingError(
            "the raw line has another number of candidates than the item has choices",
            place=place,
            got=str(len(raw["candidates"])),
            expected=str(len(texts)),
        )
    candidates = [_candidate(*pair, scored, place) for pair, scored in zip(texts, raw["candidates"], strict=True)]
    normalization = axis["scoring"]["normalization"]
    try:
        values = choice_values([each["logprob"] for each in candidates], _lengths(candidates, normalization))
    except MeasureError as error:
        raise RecordingError(error.what, place=f"{place}: {error.place}", got=error.got, hint=error.hint) from error
    chosen, tie = pick_first_max(values)
    return {
        **_identity(item),
        "outcome": "answered",
        "prompt": prompt,
        "candidates": candidates,
        "normalization": normalization,
        "values": values,
        "chosen": chosen,
        "answer_index": item["answer_index"],
        "correct": chosen == item["answer_index"],
        "tie": tie,
        "raw_sha256": raw_sha256,
    }


def _lengths(candidates: list[RecordCandidate], normalization: Normalization) -> list[int] | None:
    """What each sum is divided by, as the record states it; ``None`` where nothing divides it."""
    match normalization:
        case "none":
            return None
        case "byte":
            return [candidate["utf8_bytes"] for candidate in candidates]
        case "token":
            return [candidate["tokens"] for candidate in candidates]


def _candidate(text: str, scored_text: str, raw: RawCandidate, place: str) -> RecordCandidate:
    logprobs = raw["token_logprobs"]
    if not logprobs or len(logprobs) != len(raw["token_ids"]):
        raise RecordingError(
            "a candidate needs one log-probability for each of its tokens, and at least one token",
            place=place,
            got=f"{len(logprobs)} for {len(raw['token_ids'])} tokens",
        )
    if (highest := max(logprobs)) > HIGHEST_LOGPROB:
        raise ImpossibleLogprobError(
            "a token's log-probability is above 0, which no probability has",
            place=place,
            got=f"{highest!r} for {scored_text[:80]!r}",
            expected=f"at most {HIGHEST_LOGPROB:g} nat, which rounding explains",
            hint="Ask whoever computed it: these may be logits, or probabilities",
        )
    logprob = math.fsum(logprobs)
    if abs(logprob) > MAX_SAFE_INTEGER:
        raise RecordingError("the log-probabilities of a candidate add up beyond 2^53", place=place, got=repr(logprob))
    return {
        "text": text,
        "scored_text": scored_text,
        "utf8_bytes": len(scored_text.encode("utf-8")),
        "tokens": len(logprobs),
        "logprob": logprob,
    }


def _record_answer(
    axis: ResolvedAxis, item: CompiledItem, raw: RawGeneration, raw_sha256: str, place: str
) -> AnswerRecord:
    _rendered(axis, item, sha256(raw["prompt"].encode("utf-8")).hexdigest(), place)
    return {
        **_identity(item),
        "outcome": "answered",
        "answer": raw["text"],
        "finish": raw["finish"],
        "generated_tokens": len(raw["token_ids"]),
        "raw_sha256": raw_sha256,
    }


def _record_failure(
    axis: ResolvedAxis, item: CompiledItem, raw: RawFailure, raw_sha256: str, place: str
) -> FailureRecord:
    _rendered(axis, item, raw["prompt_sha256"], place)
    return {
        **_identity(item),
        "outcome": "truncated" if raw["error"] == OVERFLOW else "errored",
        "reason": raw["error"],
        "raw_sha256": raw_sha256,
    }


def _rendered(axis: ResolvedAxis, item: CompiledItem, prompt_sha256: str, place: str) -> str:
    prompt = render_prompt(axis, item)
    expected = sha256(prompt.encode("utf-8")).hexdigest()
    if prompt_sha256 != expected:
        raise RecordingError(
            "the model was asked another prompt than the axis and item render to",
            place=place,
            got=prompt_sha256,
            expected=expected,
        )
    return prompt


def _identity(item: CompiledItem) -> _Identity:
    return {
        "item_id": item["item_id"],
        "task": item["task"],
        "language": item["language"],
        "script": item["script"],
    }
