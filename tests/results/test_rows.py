from dataclasses import dataclass, field

import pytest

from benchproof.records.run import RunManifest
from benchproof.results import RowsError, group_of, label_model, rows_of
from benchproof.results.rows import identify_model
from results.samples import make_control, make_manifest, make_model, make_number, make_sheet


@dataclass
class FakeRun:
    """A sealed run, as far as rows look at it."""

    sha256: str = "a" * 64
    manifest: RunManifest = field(default_factory=make_manifest)


def test_a_row_carries_its_number_with_tag_denominator_and_proof() -> None:
    (row,) = rows_of(FakeRun(), make_sheet(make_number()), proof="recomputed")
    assert (row.tag, row.numerator, row.denominator, row.planned) == ("zicy3hzb3wmv", 28, 60, 60)
    assert row.interval == (0.353872616592, 0.579460716741)
    assert (row.proof, row.source, row.date) == (
        "recomputed",
        "starter.smollm2.20261130T212541Z.7f3a",
        "2026-11-30T21:28:05Z",
    )


def test_a_row_stands_where_its_axis_stands() -> None:
    (row,) = rows_of(FakeRun(), make_sheet(make_number()), proof="intact")
    assert dict(group_of(row).keys) == {
        "shots": "0",
        "prompt": "custom:1d1f00c0ffee",
        "cot": "none",
        "split": "test",
        "model_variant": "instruct",
        "items": "all",
        "data": "777777777777",
        "chat_template": "none",
    }
    assert row.draft_digest == "b" * 64


def test_rows_keep_the_order_of_the_sheet_and_its_slices() -> None:
    numbers = make_number(), make_number(slice="register=high", tag="zicyaaaabbbb")
    assert [row.slice for row in rows_of(FakeRun(), make_sheet(*numbers), proof="intact")] == ["all", "register=high"]


def test_no_score_stays_no_score() -> None:
    number = make_number(value=None, numerator=None, denominator=0, interval=None, method="no interval: no scores")
    (row,) = rows_of(FakeRun(), make_sheet(number), proof="intact")
    assert (row.value, row.interval) == (None, None)


def test_a_sheet_of_another_run_is_refused() -> None:
    with pytest.raises(RowsError, match="the score sheet is of another run"):
        rows_of(FakeRun(), make_sheet(make_number(), sha256="9" * 64), proof="intact")


def test_a_number_of_an_axis_that_did_not_run_is_refused_by_its_tag() -> None:
    with pytest.raises(RowsError, match=r"zicy3hzb3wmv: .*got facts\.en; expected reading\.en"):
        rows_of(FakeRun(), make_sheet(make_number(axis="facts")), proof="intact")


def test_a_models_label_is_short_and_names_its_number_format() -> None:
    assert label_model(make_model()) == "SmolLM2-135M-Instruct F16"


def test_a_control_is_called_by_its_name() -> None:
    assert label_model(make_control("longest")) == "control:longest"


def test_other_weights_are_another_model() -> None:
    assert identify_model(make_model()) != identify_model(make_model(weights_sha256="0" * 64))


def test_another_runtime_is_the_same_model() -> None:
    assert identify_model(make_model()) == identify_model(make_model(runtime_version="0.1.6"))
