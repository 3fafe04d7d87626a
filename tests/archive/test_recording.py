"""Records from raw lines. The vector is the real item of contract-formats (SmolLM2-135M-Instruct F16, exact)."""

import hashlib
import math
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.samples import answer, make_axis, make_item
from benchproof.archive import ImpossibleLogprobError, RecordingError, make_record, render_prompt
from benchproof.archive.recording import make_exclusion
from benchproof.archive.schemas import has_shape
from benchproof.canon import CanonicalError, canonical, digest, parse
from benchproof.records.run import ChoiceRecord, RawChoice, RawFailure, RawGeneration, RawLine

LOGPROBS = st.floats(min_value=-1e6, max_value=0, allow_nan=False)


def make_raw(*token_logprobs: list[float]) -> tuple[Any, Any, RawChoice]:
    axis, item = make_axis(), make_item(make_axis(), 0)
    item["choices"] = [f"choice {index}" for index in range(len(token_logprobs))]
    item["answer_index"] = 0
    raw = cast("RawChoice", answer(axis, item))
    raw["candidates"] = [
        {"token_ids": list(range(len(values))), "token_logprobs": values, "is_greedy": False}
        for values in token_logprobs
    ]
    return axis, item, raw


def test_the_real_item_of_the_formats_page_is_reproduced_to_the_last_bit() -> None:
    axis, item, raw = make_raw(
        [
            -1.3155710455896834,
            -7.828126380503788,
            -0.8101318063678846,
            -0.9462673251113962,
            -1.441804363690519,
            -1.1865057037202327,
            -3.5793985444275407,
            -1.3771253779374923,
        ],
        [
            -1.3155710455896834,
            -4.361105392039432,
            -3.4225922110479736,
            -5.60795145661109,
            -0.3294621216196312,
            -1.0579257876811763,
            -2.835600590100169,
            -4.1579404714356265,
        ],
    )
    item["choices"] = ["The ice boxes were not loaded yet.", "The captain had gone to the market."]
    record = cast("ChoiceRecord", make_record(axis, item, raw))
    assert [candidate["logprob"] for candidate in record["candidates"]] == [-18.484930547348537, -23.088149076124783]
    assert [candidate["utf8_bytes"] for candidate in record["candidates"]] == [35, 36]
    assert record["values"] == [-0.5281408727813868, -0.6413374743367996]
    assert (record["chosen"], record["correct"], record["tie"]) == (0, True, False)
    assert record["raw_sha256"] == digest(raw)
    assert record["prompt"] == render_prompt(axis, item)
    assert has_shape("item-record", record)


@pytest.mark.parametrize(
    ("normalization", "expected"), [("none", [-6.0, -5.0]), ("byte", [-6 / 9, -5 / 9]), ("token", [-2.0, -2.5])]
)
def test_a_value_is_one_division_of_the_sum(normalization: str, expected: list[float]) -> None:
    axis, item, raw = make_raw([-1.0, -2.0, -3.0], [-2.0, -3.0])
    axis["scoring"]["normalization"] = normalization
    assert cast("ChoiceRecord", make_record(axis, item, raw))["values"] == expected


def test_bytes_are_those_of_prefix_text_and_suffix_in_utf8() -> None:
    axis, item, raw = make_raw([-1.0], [-2.0])
    axis["scoring"]["candidate_suffix"] = "é"
    item["choices"] = ["ñ", "日"]
    record = cast("ChoiceRecord", make_record(axis, item, raw))
    assert [candidate["utf8_bytes"] for candidate in record["candidates"]] == [5, 6]


def test_the_first_maximum_is_chosen_and_a_shared_one_is_a_tie() -> None:
    axis, item, raw = make_raw([-9.0], [-1.0], [-1.0])
    axis["scoring"]["normalization"] = "none"
    record = cast("ChoiceRecord", make_record(axis, item, raw))
    assert (record["chosen"], record["tie"], record["correct"]) == (1, True, False)


@given(st.lists(st.lists(LOGPROBS, min_size=1, max_size=6), min_size=2, max_size=4))
def test_a_record_follows_from_what_was_sealed_to_the_last_bit(token_logprobs: list[list[float]]) -> None:
    """ "`verify` recomputes all of it from protocol, bank and likelihoods" (contract-archive §7)."""
    axis, item, raw = make_raw(*token_logprobs)
    record = canonical(make_record(axis, item, raw))
    again = [cast("Any", parse(canonical(value))) for value in (axis, item, raw)]
    assert canonical(make_record(*again)) == record
    values = parse(record)["values"]
    assert parse(record)["chosen"] == values.index(max(values))


def test_the_sum_does_not_depend_on_the_order_of_rounding() -> None:
    axis, item, raw = make_raw([-9e15, -0.3, -0.3, -0.4], [-0.1] * 10)
    record = cast("ChoiceRecord", make_record(axis, item, raw))
    assert record["candidates"][0]["logprob"] == -9e15 - 1
    assert record["candidates"][1]["logprob"] == -1.0


def test_an_answer_keeps_text_and_finish_and_no_score() -> None:
    axis = make_axis("facts")
    item = make_item(axis, 0)
    raw = cast("RawGeneration", answer(axis, item))
    assert make_record(axis, item, raw) == {
        "item_id": item["item_id"],
        "task": "tiny/facts",
        "language": "en",
        "script": "Latn",
        "outcome": "answered",
        "answer": raw["text"],
        "finish": "stop",
        "generated_tokens": 2,
        "raw_sha256": digest(raw),
    }


@pytest.mark.parametrize(("error", "outcome"), [("context-overflow", "truncated"), ("backend", "errored")])
def test_a_failure_is_never_an_answer(error: str, outcome: str) -> None:
    axis, item, raw = make_raw([-1.0], [-2.0])
    failure: RawFailure = {
        "axis": "reading",
        "call": "loglikelihood",
        "item_id": item["item_id"],
        "prompt_sha256": raw["prompt_sha256"],
        "error": error,
        "detail": "what happened",
    }
    record = make_record(axis, item, failure)
    assert (record["outcome"], record.get("reason")) == (outcome, error)
    assert has_shape("item-record", record)


def test_an_exclusion_has_a_reason_and_no_raw_line() -> None:
    record = make_exclusion(make_item(make_axis(), 0), "contaminated")
    assert (record["outcome"], record["reason"], "raw_sha256" in record) == ("excluded", "contaminated", False)


def refused(axis: Any, item: Any, raw: RawLine, match: str) -> None:
    with pytest.raises(RecordingError, match=match):
        make_record(axis, item, raw)


def test_a_raw_line_of_another_prompt_is_refused() -> None:
    axis, item, raw = make_raw([-1.0], [-2.0])
    raw["prompt_sha256"] = hashlib.sha256(b"something else").hexdigest()
    refused(axis, item, raw, "asked another prompt")


def test_a_raw_line_of_another_item_or_axis_is_refused() -> None:
    axis, item, raw = make_raw([-1.0], [-2.0])
    refused(axis, make_item(axis, 1), raw, "another axis or item")
    refused(make_axis("other"), item, raw, "another axis or item")


def test_a_raw_line_of_another_kind_of_call_is_refused() -> None:
    axis, item, _ = make_raw([-1.0], [-2.0])
    facts = make_axis("facts")
    text = answer(facts, make_item(facts, 0))
    text["axis"], text["item_id"] = "reading", item["item_id"]
    refused(axis, item, text, "another kind of call; got generate")


def test_a_candidate_too_few_is_refused() -> None:
    axis, item, raw = make_raw([-1.0], [-2.0])
    raw["candidates"].pop()
    refused(axis, item, raw, "got 1; expected 2")


@pytest.mark.parametrize("values", [[], [-1.0]])
def test_a_token_without_its_log_probability_is_refused(values: list[float]) -> None:
    axis, item, raw = make_raw([-1.0, -1.0], [-2.0])
    raw["candidates"][0]["token_logprobs"] = values
    refused(axis, item, raw, f"got {len(values)} for 2 tokens")


@pytest.mark.parametrize("value", [math.nan, -math.inf, -1e300])
def test_a_log_probability_that_no_reader_would_keep_is_refused(value: float) -> None:
    axis, item, raw = make_raw([value], [-2.0])
    with pytest.raises(CanonicalError, match="/candidates/0/token_logprobs/0"):
        make_record(axis, item, raw)


@pytest.mark.parametrize("value", [0.25, 1.1e-6, 3.0])
def test_a_log_probability_above_0_is_refused(value: float) -> None:
    """A log-probability is the logarithm of a probability, which is at most 1."""
    axis, item, raw = make_raw([-1.0, value], [-2.0])
    with pytest.raises(ImpossibleLogprobError, match=rf"above 0.*got {value!r}.*expected at most 1e-06 nat"):
        make_record(axis, item, raw)


@pytest.mark.parametrize("value", [0.0, 1e-6, 5e-8])
def test_what_rounding_adds_to_a_certain_token_is_kept_as_it_is(value: float) -> None:
    axis, item, raw = make_raw([value], [-2.0])
    record = cast("ChoiceRecord", make_record(axis, item, raw))
    assert record["candidates"][0]["logprob"] == value


@pytest.mark.parametrize("normalization", ["byte", "token", "none"])
def test_a_candidate_without_a_byte_has_no_value_by_bytes(normalization: str) -> None:
    axis, item, raw = make_raw([-1.0], [-2.0])
    axis["scoring"].update(candidate_prefix="", normalization=normalization)
    item["choices"] = ["yes", ""]
    if normalization == "byte":
        refused(axis, item, raw, "candidate 1: a candidate of no length")
    else:
        assert cast("ChoiceRecord", make_record(axis, item, raw))["values"] == [-1.0, -2.0]
