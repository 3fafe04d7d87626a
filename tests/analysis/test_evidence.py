import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from archive.samples import SEALED_AT, answer, make_axis_of_run, make_parts
from benchproof.analysis import ContrastError, compare_runs, render_contrast
from benchproof.archive import SealedRun, init_archive, load_run, open_run, seal_run
from benchproof.records.run import RawLine
from benchproof.results import build_table, rows_of, setting_of
from benchproof.scores import compute_score_sheet


def leave(raw: RawLine) -> RawLine:
    return raw


def turn(raw: RawLine) -> RawLine:
    """Another model's answer: candidates in the other order of likelihood, another text."""
    turned: dict[str, Any] = copy.deepcopy(dict(raw))
    if "text" in turned:
        turned["text"] = " 2\n"
    elif "candidates" in turned:
        turned["candidates"].reverse()
    return cast("RawLine", turned)


def seal(
    root: Path,
    name: str,
    *,
    say: Callable[[RawLine], RawLine] = leave,
    version: str = "0.1",
    question: str | None = None,
    variant: str = "other",
    limit: int = 99,
) -> SealedRun:
    """A sealed run of the tiny bench by a model called ``name``."""
    init_archive(root)
    opening, axes, items = make_parts(6, f"tiny.{name}.20261130T212541Z.0000")
    opening["model"] |= {"model": f"control:{name}", "id": name, "variant": variant}  # type: ignore[typeddict-item]
    for key, axis in axes.items():
        axis["benchmark"] = f"tiny/{axis['axis']}@{version}"
        if question is not None:
            items[key][0]["input"]["question"] = question
    opening["axes"] = [make_axis_of_run(axes[key], items[key]) for key in axes]
    for stated in opening["axes"]:
        axis = axes[f"{stated['axis']}.{stated['language']}"]
        stated["setting"] = setting_of(axis, opening["model"], selection="all", harness_version="0.1.0")
    with open_run(root, opening, axes=axes, items=items) as run:
        for key, axis in run.axes.items():
            for item in list(run.items(key))[:limit]:
                run.record(key, say(answer(axis, item)))
        return load_run(root, seal_run(run, sealed_at=SEALED_AT).id)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "babel-data"


def test_two_sealed_runs_are_contrasted_by_their_evidence(root: Path) -> None:
    contrast = compare_runs(seal(root, "one"), seal(root, "two", say=turn))
    assert contrast.is_clean
    assert [axis.axis_key for axis in contrast.axes] == ["facts.en", "reading.en", "reading.ms"]
    assert [axis.n for axis in contrast.axes] == [6, 6, 6]
    assert {axis.clusters for axis in contrast.axes} == {3}


def test_means_and_tags_are_those_of_the_score_sheets(root: Path) -> None:
    one, two = seal(root, "one"), seal(root, "two", say=turn)
    sheets = [
        {(n["axis"], n["language"]): n for n in compute_score_sheet(run)["numbers"] if n["slice"] == "all"}
        for run in (one, two)
    ]
    for axis in compare_runs(one, two).axes:
        left, right = (sheet[axis.axis, axis.language] for sheet in sheets)
        assert axis.tag == f"{left['tag']}..{right['tag']}"
        assert axis.mean_a == pytest.approx(left["value"], abs=1e-11)
        assert axis.mean_b == pytest.approx(right["value"], abs=1e-11)


def test_flips_can_be_read_with_what_was_answered(root: Path) -> None:
    contrast = compare_runs(seal(root, "one"), seal(root, "two", say=turn), texts=True)
    flips = [flip for axis in contrast.axes for flip in axis.flips or ()]
    assert flips
    for flip in flips:
        right = flip.answer_a if flip.right_in == "A" else flip.answer_b
        wrong = flip.answer_b if flip.right_in == "A" else flip.answer_a
        assert right is not None
        assert right.strip() == flip.key != (wrong or "").strip()
    assert f'      key  "{flips[0].key}"' in render_contrast(contrast, flips=True)


def test_another_question_under_the_same_id_is_no_pair(root: Path) -> None:
    contrast = compare_runs(seal(root, "one"), seal(root, "two", question="What else?"))
    assert [axis.unpaired.changed for axis in contrast.axes] == [("en/q99",), ("en/q99",), ("ms/q99",)]
    assert [axis.n for axis in contrast.axes] == [5, 5, 5]


def test_a_cut_run_is_confounded_by_its_items(root: Path) -> None:
    contrast = compare_runs(seal(root, "one"), seal(root, "two", limit=4))
    assert [axis.unpaired.unscored_b for axis in contrast.axes] != [(), (), ()]
    assert {difference.key for axis in contrast.axes for difference in axis.differences} == {"items"}
    assert render_contrast(contrast).startswith("confounded by: items in facts.en")


def test_a_base_model_is_confounded_by_its_variant(root: Path) -> None:
    text = render_contrast(compare_runs(seal(root, "one"), seal(root, "two", variant="base")))
    assert text.startswith("confounded by: model_variant (other → base)\n")


def test_two_versions_of_a_bench_are_refused(root: Path) -> None:
    with pytest.raises(ContrastError, match="the two runs measured different things"):
        compare_runs(seal(root, "one"), seal(root, "two", version="0.2"))


def test_a_run_is_refused_against_itself(root: Path) -> None:
    run = seal(root, "one")
    with pytest.raises(ContrastError, match="both handles name the same run"):
        compare_runs(run, load_run(root, run.id))


def test_the_same_runs_give_the_same_text(root: Path) -> None:
    one, two = seal(root, "one"), seal(root, "two", say=turn)
    assert render_contrast(compare_runs(one, two)) == render_contrast(compare_runs(one, two))


def test_sealed_runs_make_rows_and_rows_a_table(root: Path) -> None:
    rows = [
        row
        for run in (seal(root, "one"), seal(root, "two", say=turn))
        for row in rows_of(run, compute_score_sheet(run), proof="recomputed")
    ]
    table = build_table(rows, rank=True)
    assert [(section.axis, section.languages) for section in table.sections] == [
        ("facts", ("en",)),
        ("reading", ("en", "ms")),
    ]
    assert [len(section.blocks) for section in table.sections] == [1, 1]
