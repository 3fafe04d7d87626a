import math
from dataclasses import replace
from pathlib import Path

import pytest

from benchproof.archive import SealedRun
from benchproof.canon import sha256_hex
from benchproof.proof import UnknownItemError, render_item, trace_item, trace_items
from benchproof.proof.items import join_lines
from benchproof.proof.tracing import ItemLines, LineOf, trace_lines
from proof.sealed_runs import ScriptedModel, make_sealed_run


@pytest.fixture
def run(tmp_path: Path) -> SealedRun:
    return make_sealed_run(tmp_path / "babel-data")


def test_every_item_of_an_axis_is_traced_without_a_fault(run: SealedRun) -> None:
    for axis_key in run.axis_keys:
        traces = list(trace_items(run, axis_key))
        assert len(traces) == 12
        assert not [fault for trace in traces for fault in trace.faults]


def test_a_trace_names_the_bytes_it_stands_on(run: SealedRun) -> None:
    trace = trace_item(run, "reading.en", "en/q95")
    assert trace.record is not None
    assert trace.raw is not None
    for spot in (trace.record, trace.raw):
        data = (run.path / spot.path).read_bytes()[spot.offset : spot.offset + spot.length]
        assert sha256_hex(data) == spot.sha256
        assert b'"item_id":"en/q95"' in data


def test_a_choice_is_traced_to_the_sum_of_its_token_log_probabilities(run: SealedRun) -> None:
    trace = trace_item(run, "reading.en", "en/q95")
    assert trace.choice is not None
    (chosen,) = [one for one in trace.choice.candidates if one.chosen]
    raw = next(value for _, value in run.raw_lines("reading.en") if value["item_id"] == "en/q95")
    logprobs = raw["candidates"][trace.choice.chosen]["token_logprobs"]
    assert trace.choice.logprob_sum == chosen.logprob == math.fsum(logprobs)
    assert trace.choice.logprob_count == len(logprobs)
    assert chosen.value == chosen.logprob / chosen.divisor == max(one.value for one in trace.choice.candidates)
    assert chosen.divisor == len(chosen.scored_text.encode())


def test_an_answer_is_traced_to_its_references_and_score(run: SealedRun) -> None:
    traces = list(trace_items(run, "facts.en"))
    for trace in traces:
        assert trace.answer is not None
        right = trace.answer.normalized_answer in trace.answer.normalized_references
        assert (trace.verdict, trace.score) == (("right", 1.0) if right else ("wrong", 0.0))
    assert {trace.verdict for trace in traces} == {"right", "wrong"}


def test_what_was_odd_about_a_call_is_said_in_words(run: SealedRun) -> None:
    trace = replace(trace_item(run, "reading.en", "en/q95"), flags=("double_bos", "flag_of_a_later_version"))
    said = [" ".join(line.split()) for line in render_item(trace).splitlines() if line.startswith("  flag ")]
    assert said == [
        "flag double_bos: the prompt brings a BOS of its own, and the model adds another",
        "flag flag_of_a_later_version",
    ]


def test_the_headline_is_the_field_that_the_template_asks_for_last(run: SealedRun) -> None:
    assert trace_item(run, "reading.en", "en/q95").headline == "What is 4?"


def test_an_unknown_item_names_the_nearest(run: SealedRun) -> None:
    with pytest.raises(UnknownItemError, match="expected an item such as en/q95"):
        trace_item(run, "reading.en", "ms/q95")


def test_a_failed_call_is_no_answer_and_says_why(tmp_path: Path) -> None:
    run = make_sealed_run(tmp_path / "babel-data", ScriptedModel(silent_on="What is 4?"))
    trace = trace_item(run, "reading.en", "en/q95")
    assert (trace.outcome, trace.verdict, trace.choice) == ("errored", "not scored", None)
    assert trace.reason == "backend: the model said nothing"
    assert not trace.faults


def test_items_that_a_partial_run_did_not_ask_are_no_fault(tmp_path: Path) -> None:
    run = make_sealed_run(tmp_path / "babel-data", asked=5)
    traces = list(trace_items(run, "reading.en"))
    assert [trace.outcome for trace in traces].count("not asked") == 7
    assert not [fault for trace in traces for fault in trace.faults]


def _lines_of(run: SealedRun, item_id: str = "en/q95") -> ItemLines:
    return next(lines for lines in join_lines(run, "reading.en") if lines.item["item_id"] == item_id)


def _faults(run: SealedRun, lines: ItemLines) -> list[str]:
    return [
        str(fault) for fault in trace_lines("runs/x", "reading.en", run.axis("reading.en"), lines, partial=False).faults
    ]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("chosen", 9, "A040"),
        ("correct", True, "A040"),
        ("correct", 1, "A037"),
        ("values", [0.0], "A037"),
        ("prompt", "other", "A039"),
        ("raw_sha256", "0" * 64, "A038"),
    ],
)
def test_each_key_of_a_record_that_does_not_follow_is_named(run: SealedRun, key: str, value: object, code: str) -> None:
    lines = _lines_of(run)
    assert lines.record is not None
    assert lines.record.value[key] != value or value == 1
    forged = LineOf(lines.record.spot, lines.record.value | {key: value})
    faults = _faults(run, lines._replace(record=forged))
    assert faults[0].startswith(f"runs/x/records/reading.en.ndjson:{lines.record.spot.line} (en/q95)")
    assert code in faults[0]


def test_a_missing_record_or_raw_line_is_named(run: SealedRun) -> None:
    lines = _lines_of(run)
    assert _faults(run, lines._replace(record=None))[0].startswith("runs/x/records/reading.en.ndjson: A042")
    assert "A038" in _faults(run, lines._replace(raw=None))[0]


def test_a_raw_line_of_another_prompt_is_named(run: SealedRun) -> None:
    lines = _lines_of(run)
    assert lines.raw is not None
    forged = LineOf(lines.raw.spot, lines.raw.value | {"prompt_sha256": "0" * 64})
    (fault,) = _faults(run, lines._replace(raw=forged))
    assert fault.startswith(f"runs/x/raw/reading.en.ndjson:{lines.raw.spot.line} (en/q95): A050")


def test_a_raw_line_without_its_parts_is_a_fault_and_no_crash(run: SealedRun) -> None:
    lines = _lines_of(run)
    assert lines.raw is not None
    for key in ("candidates", "prompt_sha256", "call"):
        forged = {name: value for name, value in lines.raw.value.items() if name != key}
        faults = _faults(run, lines._replace(raw=LineOf(lines.raw.spot, forged)))
        assert "A036" in faults[0]


def test_an_item_that_does_not_render_is_named(run: SealedRun) -> None:
    lines = _lines_of(run)
    broken = lines._replace(item={**lines.item, "input": {"question": "What?"}})
    assert any("asks for the field 'passage'" in fault for fault in _faults(run, broken))
