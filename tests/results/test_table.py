import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.results import Row, Table, TableError, build_table, group_of, is_comparable
from results.samples import make_control_row, make_row


def list_ranks(table: Table) -> dict[str, str]:
    """Tag → rank, of the numbers that have one."""
    return {cell.row.tag: str(cell.rank) for section in table.sections for cell in section.list_cells() if cell.rank}


def make_rival(name: str, numerator: int | None, **changes: Any) -> Row:
    return make_row(model=name, model_id=name, source=f"run-{name}", tag=f"tag-{name}", numerator=numerator, **changes)


def test_unlike_settings_are_never_in_one_block() -> None:
    (section,) = build_table([make_row(), make_control_row()]).sections
    assert [[line.model for line in block.lines] for block in section.blocks] == [
        ["SmolLM2-135M-Instruct F16"],
        ["control:longest"],
    ]
    assert section.differing == ("model_variant",)


def test_like_settings_share_a_block_by_name() -> None:
    (section,) = build_table([make_rival("b", 10), make_rival("a", 9)]).sections
    (block,) = section.blocks
    assert [line.model for line in block.lines] == ["a", "b"]
    assert section.differing == ()


def test_a_soft_key_parts_no_block() -> None:
    rows = [make_rival("a", 9), make_rival("b", 10, setting={"quantization": "Q4_K_M"})]
    assert len(build_table(rows).sections[0].blocks) == 1


def test_languages_are_columns_and_their_prompts_may_differ() -> None:
    rows = [
        make_rival(name, 9, language=language, setting={"prompt": prompt})
        for name in ("a", "b")
        for language, prompt in (("en", "custom:1"), ("ms", "custom:2"))
    ]
    (section,) = build_table(rows).sections
    assert section.languages == ("en", "ms")
    assert len(section.blocks) == 1
    assert section.common["prompt"] == {"en": "custom:1", "ms": "custom:2"}


def test_another_prompt_in_one_language_parts_the_runs() -> None:
    rows = [
        make_rival("a", 9, language="en", setting={"prompt": "custom:1"}),
        make_rival("a", 9, language="ms", setting={"prompt": "custom:2"}),
        make_rival("b", 9, language="en", setting={"prompt": "custom:1"}),
        make_rival("b", 9, language="ms", setting={"prompt": "custom:3"}),
    ]
    (section,) = build_table(rows).sections
    assert len(section.blocks) == 2
    assert section.differing == ("prompt",)


def test_a_run_of_one_language_joins_those_that_it_is_like() -> None:
    rows = [make_rival("a", 9), make_rival("a", 9, language="ms"), make_rival("b", 8, language="ms")]
    (block,) = build_table(rows).sections[0].blocks
    assert [sorted(line.cells) for line in block.lines] == [["en", "ms"], ["ms"]]


def test_metrics_versions_axes_and_data_sets_have_sections_of_their_own() -> None:
    rows = [
        make_row(),
        make_row(metric="choice-accuracy.none"),
        make_row(benchmark="starter/reading@0.2"),
        make_row(axis="other"),
        make_row(dataset="other"),
    ]
    assert len(build_table(rows).sections) == 5


def test_two_digests_of_a_draft_never_share_a_section() -> None:
    """Clause: "`0.x` is a draft: exempt, printed as draft, different digests never share a table"."""
    assert len(build_table([make_row(), make_row(draft_digest="c" * 64)]).sections) == 2


def test_ranks_are_given_on_request_alone() -> None:
    rows = [make_rival("a", 9), make_rival("b", 10)]
    assert list_ranks(build_table(rows)) == {}
    assert list_ranks(build_table(rows, rank=True)) == {"tag-a": "2", "tag-b": "1"}


def test_a_ranked_table_is_in_order_of_places() -> None:
    (block,) = build_table([make_rival("a", 9), make_rival("b", 10)], rank=True).sections[0].blocks
    assert [line.model for line in block.lines] == ["b", "a"]


def test_ties_share_the_best_place_and_the_next_place_is_skipped() -> None:
    rows = [make_rival("a", 9), make_rival("b", 10), make_rival("c", 10), make_rival("d", 8)]
    assert list_ranks(build_table(rows, rank=True)) == {"tag-b": "1=", "tag-c": "1=", "tag-a": "3", "tag-d": "4"}


def test_equal_fractions_tie_whatever_their_rounded_values() -> None:
    rows = [
        make_rival("a", 1, denominator=3, planned=3, value=0.333333333333),
        make_rival("b", 20, denominator=60, value=0.333333333334),
    ]
    assert list_ranks(build_table(rows, rank=True)) == {"tag-a": "1=", "tag-b": "1="}


def test_a_number_that_lacks_items_is_not_ranked_and_hides_none_that_has_them() -> None:
    whole = make_rival("a", 42, date="2026-11-01")
    facts = {"model": "a", "model_id": "a", "numerator": 30, "denominator": 40, "date": "2026-11-30"}
    newer = make_row(**facts, source="run-newer", tag="tag-newer")
    table = build_table([whole, newer, make_rival("c", 41)], rank=True)
    assert list_ranks(table) == {"tag-a": "1", "tag-c": "2"}
    assert [row.tag for block in table.sections[0].blocks for row in block.older] == ["tag-newer"]


def test_each_language_is_ranked_by_itself() -> None:
    rows = [
        make_rival("a", 9),
        make_rival("b", 10),
        make_rival("a", 12, language="ms"),
        make_rival("b", 11, language="ms"),
    ]
    (block,) = build_table(rows, rank=True).sections[0].blocks
    assert [{language: str(cell.rank) for language, cell in line.cells.items()} for line in block.lines] == [
        {"en": "1", "ms": "2"},
        {"en": "2", "ms": "1"},
    ]


def test_no_rank_crosses_a_block() -> None:
    rows = [make_rival("a", 9), make_rival("b", 10, setting={"shots": 5})]
    assert list_ranks(build_table(rows, rank=True)) == {"tag-a": "1", "tag-b": "1"}


def test_lower_is_better_where_the_metric_says_so() -> None:
    rows = [make_rival("a", 9, metric="brier"), make_rival("b", 10, metric="brier")]
    assert list_ranks(build_table(rows, rank=True)) == {"tag-a": "1", "tag-b": "2"}


def test_a_metric_without_a_direction_is_not_ranked() -> None:
    rows = [make_rival("a", 9, metric="vibes"), make_rival("b", 10, metric="vibes")]
    assert list_ranks(build_table(rows, rank=True)) == {}


def test_an_unknown_hard_key_is_not_ranked() -> None:
    rows = [make_rival(name, 9, setting={"prompt": "unknown"}) for name in "ab"]
    assert list_ranks(build_table(rows, rank=True)) == {}


def test_what_was_not_scored_is_shown_without_a_rank() -> None:
    rows = [make_rival("a", 9), make_rival("b", None, value=None, denominator=0)]
    table = build_table(rows, rank=True)
    assert list_ranks(table) == {"tag-a": "1"}
    assert len(table.sections[0].list_cells()) == 2


def test_a_score_of_zero_is_a_score() -> None:
    assert list_ranks(build_table([make_rival("a", 9), make_rival("b", 0)], rank=True))["tag-b"] == "2"


def test_the_newest_run_is_shown_and_older_ones_are_kept() -> None:
    rows = [make_row(), make_row(date="2026-12-01T00:00:00Z", source="later", tag="later")]
    (block,) = build_table(rows).sections[0].blocks
    assert [cell.row.tag for line in block.lines for cell in line.cells.values()] == ["later"]
    assert [row.tag for row in block.older] == ["zicy3hzb3wmv"]


def test_every_run_has_a_line_on_request() -> None:
    rows = [make_row(), make_row(date="2026-12-01T00:00:00Z", source="later", tag="later")]
    (block,) = build_table(rows, every_run=True).sections[0].blocks
    assert [line.note for line in block.lines] == ["run later", "run starter.smollm2.20261130T212541Z.7f3a"]
    assert block.older == ()


def test_a_soft_difference_makes_no_repeat_but_a_line_that_names_it() -> None:
    rows = [make_row(), make_row(source="later", tag="later", setting={"harness": "benchproof@0.2.0"})]
    (block,) = build_table(rows).sections[0].blocks
    assert [line.note for line in block.lines] == ["harness benchproof@0.1.0", "harness benchproof@0.2.0"]


def test_two_models_with_one_name_are_told_apart() -> None:
    rows = [make_row(), make_row(source="later", tag="later", model_id="weights 0000")]
    (block,) = build_table(rows).sections[0].blocks
    assert [line.note for line in block.lines] == ["HuggingFaceTB/SmolLM2-135M-Instruct", "weights 0000"]


def test_slices_are_counted_and_shown_on_request() -> None:
    names = ["register=low", "topic=sea", "register=mid", "register=high"]
    rows = [make_row(), *(make_row(slice=name, tag=name) for name in names)]
    assert build_table(rows).sections[0].hidden_slices == 4
    (block,) = build_table(rows, registers=True).sections[0].blocks
    assert [line.slice for line in block.lines] == [
        "all",
        "register=high",
        "register=mid",
        "register=low",
        "topic=sea",
    ]


def test_a_slice_is_never_ranked() -> None:
    rows = [make_row(), make_row(slice="register=low", tag="low")]
    assert list_ranks(build_table(rows, rank=True, registers=True)) == {"zicy3hzb3wmv": "1"}


def test_two_numbers_of_one_run_for_one_place_are_refused() -> None:
    with pytest.raises(TableError, match="one run has two numbers for one place of the table"):
        build_table([make_row(), make_row(tag="other")])


def test_no_rows_make_no_sections() -> None:
    assert build_table([]).sections == ()


choices = st.fixed_dictionaries(
    {
        "name": st.sampled_from("abc"),
        "language": st.sampled_from(["en", "ms"]),
        "shots": st.sampled_from([0, 5]),
        "prompt": st.sampled_from(["custom:1", "custom:2", "unknown"]),
        "numerator": st.integers(0, 60),
    }
)


def make_rows(picks: list[dict[str, Any]]) -> list[Row]:
    return [
        make_row(
            model=pick["name"],
            model_id=pick["name"],
            source=f"run-{number}",
            tag=f"tag-{number}",
            language=pick["language"],
            numerator=pick["numerator"],
            setting={"shots": pick["shots"], "prompt": pick["prompt"]},
        )
        for number, pick in enumerate(picks)
    ]


@given(st.lists(choices, min_size=1, max_size=12))
def test_whatever_is_ranked_together_is_comparable(picks: list[dict[str, Any]]) -> None:
    """Clause: "Unlike numbers are not ranked together, by any command"."""
    for section in build_table(make_rows(picks), rank=True).sections:
        for block in section.blocks:
            for language in section.languages:
                column = [line.cells[language] for line in block.lines if language in line.cells]
                ranked = [cell.row for cell in column if cell.rank]
                assert all(is_comparable(one, other) for one in ranked for other in ranked)
                assert len({group_of(cell.row) for cell in column}) <= 1


@given(st.lists(choices, min_size=1, max_size=12))
def test_no_number_disappears(picks: list[dict[str, Any]]) -> None:
    """Clause: "Nothing disappears silently"."""
    rows = make_rows(picks)
    table = build_table(rows)
    shown = [cell.row.tag for section in table.sections for cell in section.list_cells()]
    older = [row.tag for section in table.sections for block in section.blocks for row in block.older]
    assert sorted(shown + older) == sorted(row.tag for row in rows)


@given(st.lists(choices, min_size=1, max_size=12), st.integers())
def test_the_order_of_rows_does_not_show(picks: list[dict[str, Any]], seed: int) -> None:
    rows = make_rows(picks)
    shuffled = random.Random(seed).sample(rows, len(rows))
    assert build_table(rows, rank=True) == build_table(shuffled, rank=True)


def test_a_control_among_models_of_the_same_variant_is_called_synthetic() -> None:
    [section] = build_table([make_row(setting={"model_variant": "other"}), make_control_row()]).sections
    [block] = section.blocks
    assert {line.model: line.note for line in block.lines} == {
        "SmolLM2-135M-Instruct F16": "",
        "control:longest": "synthetic",
    }
