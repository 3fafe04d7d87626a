"""The packed verifier has canonical JSON, rendering, records and scores a second time: both must say the same."""

import json
import runpy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from archive.samples import make_axis, make_items
from benchproof.archive import RecordingError, make_record, render_prompt
from benchproof.archive.errors import RenderingError
from benchproof.canon import CanonError, canonical, digest, parse_canonical
from benchproof.measure import CHOICE_RULES, Candidate, choose, exact_match_squad
from benchproof.proof import read_verifier
from benchproof.scores import number_tag

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    script = tmp_path_factory.mktemp("script") / "verify.py"
    script.write_bytes(read_verifier())
    return runpy.run_path(str(script))


@given(VALUES)
@example([1e-6, 1.5e-6, 1e-7, 123456.789e-12, 5e-324, 0.1, -0.0, 1e15 + 0.5, 123456789.5])
@example(1e16)
@example(2.0**53)
@example(1e300)
@example(2**53 - 1)
@example(-(2**53))
@example({"\ue000": 1, "\U00010000": 2, "a": 3, "": 4})
def test_both_write_the_same_canonical_json_or_both_refuse(packed: dict[str, Any], value: Any) -> None:
    try:
        expected = canonical(value)
    except CanonError:
        with pytest.raises(packed["BrokenError"]):
            packed["canonical"](value)
    else:
        assert packed["canonical"](value) == expected


def test_a_number_of_many_digits_is_refused_at_once(packed: dict[str, Any]) -> None:
    with pytest.raises(packed["BrokenError"]):
        packed["read_canonical"](b"9" * 1_000_000, "here")


@given(VALUES, st.integers(0, 200), st.sampled_from([b" ", b"0", b"", b'"', b"e", b"\xff", b",", b"\x00", b"A"]))
def test_both_take_the_same_bytes_for_canonical(packed: dict[str, Any], value: Any, place: int, spoiled: bytes) -> None:
    data = json.dumps(value, ensure_ascii=False).encode()
    for one in (data, data[: place % len(data)] + spoiled + data[place % len(data) + 1 :]):
        try:
            parse_canonical(one)
        except CanonError:
            with pytest.raises(packed["BrokenError"]):
                packed["read_canonical"](one, "here")
        else:
            packed["read_canonical"](one, "here")


@given(st.text("{}ab ", max_size=10), st.dictionaries(st.sampled_from(["a", "b", "ab"]), TEXTS, max_size=3))
def test_both_render_a_template_alike_or_both_refuse(
    packed: dict[str, Any], template: str, fields: dict[str, str]
) -> None:
    axis, item = make_axis("reading", "en"), make_items(make_axis("reading", "en"), 1)[0]
    axis["prompt_template"], axis["demonstrations"] = template, [{"input": fields, "answer": "yes"}]
    item["input"] = fields
    try:
        expected = render_prompt(axis, item)
    except RenderingError:
        with pytest.raises(packed["BrokenError"]):
            packed["render_prompt"](axis, item)
    else:
        assert packed["render_prompt"](axis, item) == expected


LOGPROBS = st.lists(st.floats(-50, 0.000002, allow_nan=False), max_size=4)


@given(
    st.lists(st.tuples(TEXTS.filter(str.strip), LOGPROBS), min_size=2, max_size=4),
    st.sampled_from(["none", "byte", "token"]),
)
def test_both_make_the_same_record_of_a_raw_line_or_both_refuse(
    packed: dict[str, Any], candidates: list[tuple[str, list[float]]], rule: Any
) -> None:
    axis = make_axis("reading", "en")
    axis["scoring"]["normalization"] = rule
    item = make_items(axis, 1)[0]
    item["choices"], item["answer_index"] = [text for text, _ in candidates], 1
    raw: Any = {
        "axis": "reading",
        "call": "loglikelihood",
        "item_id": item["item_id"],
        "prompt_sha256": packed["sha256"](render_prompt(axis, item).encode()),
        "batching": "exact",
        "context_tokens": 3,
        "join_token": False,
        "candidates": [
            {"is_greedy": False, "token_ids": list(range(len(logprobs))), "token_logprobs": logprobs}
            for _text, logprobs in candidates
        ],
    }
    try:
        expected = make_record(axis, item, raw)
    except RecordingError:
        with pytest.raises(packed["BrokenError"]):
            packed["make_record"](axis, item, raw, digest(raw))
    else:
        assert packed["canonical"](packed["make_record"](axis, item, raw, digest(raw))) == canonical(expected)


@given(
    st.lists(st.tuples(TEXTS.filter(bool), st.floats(-50, 0)), min_size=1, max_size=4), st.sampled_from(CHOICE_RULES)
)
def test_both_choose_alike_under_every_length_rule(
    packed: dict[str, Any], candidates: list[tuple[str, float]], rule: Any
) -> None:
    made = [Candidate(text, f" {text}", 2, logprob) for text, logprob in candidates]
    choice = choose(made, rule)
    record = {
        "candidates": [
            {"text": one.text, "utf8_bytes": len(one.scored_text.encode()), "tokens": 2, "logprob": one.logprob}
            for one in made
        ]
    }
    for index in range(len(made)):
        assert packed["choice_accuracy"]({"answer_index": index}, record, rule) == (choice.chosen == index, choice.tie)


@given(
    st.text("aA nthe.,é", max_size=10),
    st.lists(st.text("aA nthe.,é", max_size=10), min_size=1, max_size=3),
    st.sampled_from(["v1.1", "v2.0"]),
)
@example("", ["a", "n"], "v2.0")
@example("", ["a", "n"], "v1.1")
@example("the A n.", ["N"], "v1.1")
def test_both_match_answers_alike(packed: dict[str, Any], answer: str, references: list[str], version: Any) -> None:
    matched, _tie = packed["exact_match"]({"references": references}, {"answer": answer}, version)
    assert matched == bool(exact_match_squad(answer, references, version=version))


@given(TEXTS, st.sampled_from(["all", "register=high"]))
def test_both_give_a_number_the_same_tag(packed: dict[str, Any], axis: str, part: str) -> None:
    number = {"axis": axis, "dataset": "d", "language": "en", "slice": part, "metric": "choice-accuracy.byte"}
    expected = number_tag(
        "ab" * 32,
        axis=axis,
        dataset="d",
        language="en",
        slice=part,
        metric="choice-accuracy.byte",
        scorer="choice-accuracy.byte",
    )
    assert packed["make_tag"]("ab" * 32, number, []) == expected
