"""The score sheet of a run in memory (contract-archive §8; contract-formats)."""

import json
import random
from importlib import resources
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.canon import canonical, parse
from benchproof.measure import mean_interval
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.scores import EvidenceError, compare_sheets, compute_score_sheet, is_current, list_scorers, number_tag
from scores.evidence_samples import (
    MemoryRun,
    make_answer_record,
    make_axis,
    make_choice_record,
    make_failure,
    make_item,
    make_reading_run,
)

CHOICES = ("aa", "bb", "cc", "dd")
READING = make_axis("reading", "en", "choice", "choice-accuracy.byte")


def find(sheet: ScoreSheet, slice_name: str = "all", language: str = "en", axis: str = "reading") -> SheetNumber:
    (number,) = [
        number
        for number in sheet["numbers"]
        if (number["axis"], number["language"], number["slice"]) == (axis, language, slice_name)
    ]
    return number


def make_facts_run(answers: list[tuple[str, str]], metric: str = "exact-match.squad-v1.1") -> MemoryRun:
    pairs = []
    for index, (answer, finish) in enumerate(answers):
        item = make_item("en", f"q{index:02d}", references=["Kuala Lumpur"])
        pairs.append((item, make_answer_record(item, answer, finish)))
    return MemoryRun().add(make_axis("facts", "en", "short-answer", metric), pairs)


def test_a_number_states_what_it_is_of_and_how_much_of_what() -> None:
    number = find(compute_score_sheet(make_reading_run([1, 2, 3, 4, 5, 1, 2, 3, 0, 2, 3, 2], 5)))
    assert (number["value"], number["numerator"], number["denominator"], number["planned"]) == (
        0.466666666667,
        28,
        60,
        60,
    )
    assert number["excluded"] == {"unparsed": 0, "errored": 0, "truncated": 0, "excluded": 0}
    assert (number["clusters"], number["chance"], number["ties"], number["null_rate"]) == (12, 0.25, 0, 0.0)
    assert (number["metric"], number["unit"], number["level"]) == ("choice-accuracy.byte", "fraction", 0.95)
    assert number["method"] == "CR2, t(11)"
    assert number["also"][0]["method"] == "CR1, t(11)"
    assert number["flags"] == ["low_ci"]


def test_an_interval_is_that_of_the_measure_to_twelve_digits() -> None:
    rights = [1, 2, 3, 4, 5, 1, 2, 3, 0, 2, 3, 2]
    number = find(compute_score_sheet(make_reading_run(rights, 5)))
    scores = [float(question < right) for right in rights for question in range(5)]
    bounds = mean_interval(scores, [passage for passage in range(12) for _ in range(5)]).bounds
    assert bounds is not None
    assert number["interval"] == [float(f"{bound:.12g}") for bound in bounds]


def test_each_register_is_a_slice_and_numbers_are_in_order() -> None:
    sheet = compute_score_sheet(make_reading_run([1, 2, 3, 4, 5, 1, 2, 3, 0, 2, 3, 2], 5))
    assert [number["slice"] for number in sheet["numbers"]] == ["all", "register=high", "register=low", "register=mid"]
    parts = [find(sheet, f"register={register}") for register in ("high", "mid", "low")]
    assert sum(number["numerator"] or 0 for number in parts) == 28
    assert {number["planned"] for number in parts} == {20}


def test_the_tag_is_four_characters_of_the_run_and_eight_of_the_number() -> None:
    sheet = compute_score_sheet(make_reading_run([1, 2], 2))
    number = find(sheet)
    expected = number_tag(
        MemoryRun().sha256,
        axis="reading",
        dataset="tiny/reading",
        language="en",
        slice="all",
        metric="choice-accuracy.byte",
        scorer="choice-accuracy.byte",
    )
    assert number["tag"] == expected
    assert expected.startswith("zicy")
    assert len({number["tag"] for number in sheet["numbers"]}) == len(sheet["numbers"])


def test_the_sheet_names_its_scorers_and_its_run() -> None:
    sheet = compute_score_sheet(make_reading_run([1, 2], 2))
    assert sheet["of"] == {"id": MemoryRun().id, "sha256": MemoryRun().sha256}
    assert sheet["scorers"] == [scorer for scorer in list_scorers() if scorer["slug"] == "choice-accuracy.byte"]
    assert sheet["judgings"] == []


def test_a_sheet_fits_its_schema_and_reads_back_as_it_was_written() -> None:
    schema = json.loads(resources.files("benchproof.records.schemas").joinpath("score-sheet.schema.json").read_text())
    for run in (make_reading_run([1, 2, 3], 4), make_facts_run([("KL", "length"), ("", "stop")])):
        sheet = compute_score_sheet(run)
        jsonschema_rs.validator_for(schema).validate(sheet)
        assert parse(canonical(sheet)) == sheet


def test_what_is_missing_is_excluded_by_reason_and_never_nought() -> None:
    items = [make_item("en", f"q{index}", choices=CHOICES) for index in range(14)]
    items.append(make_item("en", "x", choices=CHOICES, excluded=True))
    right, wrong = [-1.0, -9.0, -9.0, -9.0], [-9.0, -1.0, -9.0, -9.0]
    records: list[dict[str, Any] | None] = [make_choice_record(item, right) for item in items[:5]]
    records += [make_choice_record(item, wrong) for item in items[5:10]]
    records += [make_failure(items[10], "errored"), make_failure(items[11], "truncated"), None, None]
    records.append(make_failure(items[14], "excluded"))
    run = MemoryRun().add(
        make_axis("reading", "en", "choice", "choice-accuracy.none"), list(zip(items, records, strict=True))
    )
    number = find(compute_score_sheet(run))
    assert (number["value"], number["numerator"], number["denominator"], number["planned"]) == (0.5, 5, 10, 15)
    assert number["excluded"] == {"unparsed": 0, "errored": 1, "truncated": 1, "excluded": 1, "unasked": 2}
    assert number["null_rate"] == 0.333333333333
    assert "partial" in number["flags"]
    beside = number["also"][-1]
    assert beside == {
        "method": "value if the 4 missing were all 0, all 1",
        "interval": [0.357142857143, 0.642857142857],
    }


def test_nothing_scored_is_no_number_rather_than_nought() -> None:
    item = make_item("en", "q", choices=CHOICES)
    run = MemoryRun().add(READING, [(item, make_failure(item, "errored"))])
    number = find(compute_score_sheet(run))
    assert (number["value"], number["numerator"], number["denominator"], number["interval"]) == (None, None, 0, None)
    assert (number["method"], number["null_rate"], number["chance"]) == ("no interval: no scores", 1.0, None)


def test_an_axis_without_items_has_a_number_that_says_so() -> None:
    number = find(compute_score_sheet(MemoryRun().add(READING, [])))
    assert (number["value"], number["planned"]) == (None, 0)


def test_a_missing_scorer_lists_the_number_and_what_it_needs() -> None:
    sheet = compute_score_sheet(make_reading_run([1, 2], 2, metric="choice-accuracy.mutual-information"))
    number = find(sheet)
    assert (number["value"], number["denominator"], number["planned"]) == (None, 0, 4)
    assert number["method"] == "not recomputed, needs the scorer choice-accuracy.mutual-information"
    assert number["excluded"]["unscored"] == 4
    assert number["flags"] == ["not_recomputed"]
    assert sheet["scorers"] == []


def test_a_scorer_of_another_type_of_axis_does_not_score() -> None:
    number = find(compute_score_sheet(make_reading_run([1, 2], 2, metric="exact-match.squad-v1.1")))
    assert number["method"] == "not recomputed, needs the scorer exact-match.squad-v1.1"


def test_ties_are_counted_and_go_to_the_first() -> None:
    items = [make_item("en", f"q{index}", choices=CHOICES, answer_index=index) for index in range(2)]
    pairs = [(item, make_choice_record(item, [-1.0, -1.0, -3.0, -3.0])) for item in items]
    number = find(compute_score_sheet(MemoryRun().add(READING, pairs)))
    assert (number["numerator"], number["ties"]) == (1, 2)


def test_a_mean_near_chance_is_flagged() -> None:
    at_chance = find(compute_score_sheet(make_reading_run([1] * 20 + [2] * 2, 4)))
    above = find(compute_score_sheet(make_reading_run([1] * 15 + [2] * 5, 4)))
    assert "near_chance" in at_chance["flags"]
    assert "near_chance" not in above["flags"]


def test_a_generated_axis_counts_capped_and_empty_answers() -> None:
    run = make_facts_run([("Kuala Lumpur", "stop"), ("the kuala lumpur", "length"), (" \n", "eos"), ("Ipoh", "length")])
    number = find(compute_score_sheet(run), axis="facts")
    assert (number["numerator"], number["denominator"]) == (2, 4)
    assert (number["capped"], number["empty"], number["truncation_rate"]) == (2, 1, 0.5)
    assert number["chance"] is None
    assert "ties" not in number


def test_items_without_a_passage_are_unclustered_and_get_wilson() -> None:
    answers = [("Kuala Lumpur", "stop")] * 7 + [("Ipoh", "stop")] * 3
    number = find(compute_score_sheet(make_facts_run(answers)), axis="facts")
    assert (number["method"], number["clusters"]) == ("Wilson", 10)
    assert number["interval"] == [0.396778147461, 0.892208732594]


def test_a_fractional_numerator_is_exact() -> None:
    run = make_facts_run([("di Kuala Lumpur", "stop"), ("Kuala", "stop"), ("Ipoh", "stop")], "token-f1.squad-v1.1")
    number = find(compute_score_sheet(run), axis="facts")
    assert number["numerator"] == 0.8 + 2 / 3
    assert number["value"] == 0.488888888889


def test_a_question_and_its_translation_are_in_one_cluster() -> None:
    """An overlap group that is stated in one language only joins the passages in the other too."""
    run = MemoryRun()
    for language, groups in (("en", ["g"]), ("ms", [])):
        pairs = []
        for name in ("p1", "p2", "p3"):
            item = make_item(
                language, name, passage=name, groups=groups if name != "p3" else [], choices=CHOICES, answer_index=0
            )
            pairs.append((item, make_choice_record(item, [-1.0, -2.0, -3.0, -4.0])))
        run.add(make_axis("reading", language, "choice", "choice-accuracy.byte"), pairs)
    sheet = compute_score_sheet(run)
    assert find(sheet, language="en")["clusters"] == find(sheet, language="ms")["clusters"] == 2


def test_a_record_without_an_item_is_refused_by_name() -> None:
    run = make_reading_run([1], 2)
    run.planned["reading.en"].pop()
    with pytest.raises(EvidenceError, match=r"records/reading\.en\.ndjson.*p00-q1"):
        compute_score_sheet(run)


def test_a_record_that_is_there_twice_is_refused() -> None:
    run = make_reading_run([1], 2)
    run.answered["reading.en"].append(run.answered["reading.en"][0])
    with pytest.raises(EvidenceError, match="two records"):
        compute_score_sheet(run)


@pytest.mark.parametrize("damage", ["candidates", "answer_index"])
def test_a_record_that_cannot_be_scored_is_named_and_nothing_foreign_leaks(damage: str) -> None:
    run = make_reading_run([1], 2)
    if damage == "candidates":
        del run.answered["reading.en"][1]["candidates"]
    else:
        del run.planned["reading.en"][1]["answer_index"]
    with pytest.raises(EvidenceError, match=r"reading\.en en/p00-q1"):
        compute_score_sheet(run)


def test_a_sheet_of_these_scorers_is_current_and_one_of_others_is_not() -> None:
    run = make_reading_run([1, 2], 2)
    sheet = compute_score_sheet(run)
    assert is_current(sheet, run)
    assert not is_current({**sheet, "scorers": [{**sheet["scorers"][0], "digest": "0" * 64}]}, run)
    assert not is_current({**sheet, "of": {"id": run.id, "sha256": "0" * 64}}, run)


def test_comparing_sheets_lists_the_numbers_that_moved_and_what_moved() -> None:
    before = compute_score_sheet(make_reading_run([1, 2, 2], 4))
    after = compute_score_sheet(make_reading_run([2, 2, 2], 4))
    moved = compare_sheets(before, after)
    assert {number.before and number.before["slice"] for number in moved} == {"all", "register=high"}
    assert all({"value", "numerator"} <= set(number.keys) for number in moved)
    assert compare_sheets(before, before) == []


def test_comparing_sheets_lists_numbers_that_only_one_has() -> None:
    before = compute_score_sheet(make_reading_run([1, 2, 2], 4))
    after: ScoreSheet = {**before, "numbers": before["numbers"][1:]}
    (moved,) = compare_sheets(before, after)
    assert (moved.tag, moved.after) == (before["numbers"][0]["tag"], None)


OUTCOMES = st.sampled_from(["right", "wrong", "errored", "truncated", "excluded", "unasked"])
PLAN = st.lists(
    st.tuples(OUTCOMES, st.sampled_from([None, "p", "q"]), st.sampled_from([None, "high", "mid"])), max_size=30
)


def make_planned_run(plan: list[tuple[str, str | None, str | None]], order: list[int]) -> MemoryRun:
    pairs: list[tuple[Any, dict[str, Any] | None]] = []
    for index in order:
        outcome, passage, register = plan[index]
        item = make_item("en", f"q{index:02d}", passage=passage, register=register, choices=CHOICES)
        record = None if outcome == "unasked" else make_failure(item, outcome)
        if outcome in ("right", "wrong"):
            record = make_choice_record(item, [-1.0 if outcome == "right" else -4.0, -2.0, -3.0, -5.0])
        pairs.append((item, record))
    return MemoryRun().add(READING, pairs)


@given(PLAN, st.integers())
def test_every_planned_item_is_counted_once_and_order_changes_no_byte(
    plan: list[tuple[str, str | None, str | None]], seed: int
) -> None:
    """contract-archive §8: "Same inputs, same bytes"; contract-product, promises: every rate shows its denominator."""
    order = list(range(len(plan)))
    sheet = compute_score_sheet(make_planned_run(plan, order))
    random.Random(seed).shuffle(order)
    assert canonical(compute_score_sheet(make_planned_run(plan, order))) == canonical(sheet)
    for number in sheet["numbers"]:
        assert number["denominator"] + sum(number["excluded"].values()) == number["planned"]
        if number["value"] is not None:
            assert number["numerator"] is not None
            assert number["value"] == pytest.approx(number["numerator"] / number["denominator"], abs=1e-12)
    assert find(sheet)["planned"] == len(plan)
