"""Two versions of a bench: which runs stand for them, and how far numbers moved."""

import json
from typing import Any, NamedTuple

import pytest

from benchproof.analysis import (
    ContrastError,
    choose_runs,
    contrast_versions,
    describe_versions,
    read_version,
    render_versions,
)
from benchproof.measure import interval_apart
from benchproof.records.run import RunManifest
from results.samples import make_axis_of_run, make_manifest, make_model, make_row, make_setting

OLD, NEW = read_version("starter@0.1"), read_version("starter@0.2")


class Listed(NamedTuple):
    id: str
    manifest: RunManifest


def make_listed(
    name: str, version: str, *axes: str, model: str = "m", selection: str = "all", **changes: Any
) -> Listed:
    made = [
        make_axis_of_run(axis=axis, language="en", items={"planned": 4, "selection": selection, "digest": "1" * 64})
        for axis in axes or ("reading",)
    ]
    bench = {"name": "starter", "bench_version": version, "digest": "b" * 64}
    manifest = make_manifest(id=name, bench=bench, axes=made, model=make_model(model=model), **changes)
    return Listed(name, manifest)


def test_the_newest_run_of_each_model_that_ran_both_stands_for_it() -> None:
    runs = [
        make_listed("a1", "0.1"),
        make_listed("a2", "0.1"),
        make_listed("b1", "0.2"),
        make_listed("c1", "0.1", model="other"),
    ]
    assert choose_runs(runs, (OLD, NEW), "en") == [("a2", "b1")]


@pytest.mark.parametrize("changes", [{"partial": True}, {"selection": "cut"}])
def test_a_newer_run_without_full_coverage_is_passed_over(changes: dict[str, Any]) -> None:
    """Clause: "newest sealed run with full coverage"."""
    runs = [make_listed("a1", "0.1"), make_listed("a2", "0.1", **changes), make_listed("b1", "0.2")]
    assert choose_runs(runs, (OLD, NEW), "en") == [("a1", "b1")]


def test_a_run_that_lacks_an_axis_of_the_version_is_passed_over() -> None:
    runs = [make_listed("a1", "0.1", "facts", "reading"), make_listed("a2", "0.1", "reading"), make_listed("b1", "0.2")]
    assert choose_runs(runs, (OLD, NEW), "en") == [("a1", "b1")]


def test_a_named_run_stands_for_its_model_whatever_it_covers() -> None:
    """Clause: "--run overrides"."""
    runs = [make_listed("a1", "0.1", partial=True), make_listed("a2", "0.1"), make_listed("b1", "0.2")]
    assert choose_runs(runs, (OLD, NEW), "en", ["a1"]) == [("a1", "b1")]


def test_a_named_run_of_neither_version_is_an_error() -> None:
    runs = [make_listed("a1", "0.1"), make_listed("b1", "0.2"), make_listed("z1", "0.3")]
    with pytest.raises(ContrastError, match="of neither version in this language; got z1"):
        choose_runs(runs, (OLD, NEW), "en", ["z1"])


def test_no_model_on_both_is_an_error_that_counts_them() -> None:
    with pytest.raises(ContrastError, match=r"got 1 models on starter@0\.1, 0 on starter@0\.2"):
        choose_runs([make_listed("a1", "0.1")], (OLD, NEW), "en")


@pytest.mark.parametrize("word", ["starter", "@0.1", "starter@"])
def test_a_version_has_a_name_and_a_number(word: str) -> None:
    with pytest.raises(ContrastError, match="names no version of a bench"):
        read_version(word)


def test_a_number_moves_by_second_minus_first_with_the_interval_of_estimates_apart() -> None:
    first = make_row(value=0.4, interval=(0.3, 0.5), source="a1", tag="zicy3hzb3wmv")
    second = make_row(
        value=0.5, interval=(0.35, 0.65), source="b1", tag="q3ma77ckd2ve", benchmark="starter/reading@0.2"
    )
    contrast = contrast_versions(("starter@0.1", "starter@0.2"), "en", [([first], [second])])
    (moved,) = contrast.moved
    assert moved.difference == pytest.approx(0.1)
    assert moved.interval == interval_apart(0.5, (0.35, 0.65), 0.4, (0.3, 0.5))
    assert moved.differences == ()
    text = render_versions(contrast)
    assert text.startswith("clean: only the version differs\n")
    assert "zicy3hzb3wmv q3ma77ckd2ve" in text
    assert json.loads(json.dumps(describe_versions(contrast)))["moved"][0]["first"] == 0.4


def test_what_differs_besides_the_version_is_said_first() -> None:
    first, second = make_row(), make_row(setting=make_setting(shots=5), benchmark="starter/reading@0.2")
    contrast = contrast_versions(("starter@0.1", "starter@0.2"), "en", [([first], [second])])
    assert render_versions(contrast).startswith("confounded by: shots (0 → 5)\n")


def test_axes_and_slices_that_do_not_belong_are_left_out_or_named() -> None:
    first = [make_row(), make_row(axis="facts"), make_row(slice="register:high"), make_row(language="ms")]
    contrast = contrast_versions(("starter@0.1", "starter@0.2"), "en", [(first, [make_row()])])
    assert [moved.axis for moved in contrast.moved] == ["reading"]
    assert contrast.alone == ("facts choice-accuracy.byte",)


def test_a_number_without_a_score_has_not_moved() -> None:
    contrast = contrast_versions(("a@1", "a@2"), "en", [([make_row(value=None, interval=None)], [make_row()])])
    assert (contrast.moved[0].difference, contrast.moved[0].interval) == (None, None)
