from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.archive import init_archive
from benchproof.errors import ExitCode
from benchproof.models import open_model
from benchproof.proof import NotIntactError, OtherModelError, ProofError, draw_items, render_rerun, rerun
from proof.sealed_runs import RUN_ID, ScriptedModel, make_sealed_run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "babel-data"
    make_sealed_run(folder)
    return folder


def test_the_same_model_says_the_same_to_the_last_bit(root: Path) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel())
    assert outcome.agrees
    assert outcome.same_model
    assert outcome.tolerance.nat == 0
    assert (outcome.asked, outcome.answered) == (36, 36)
    assert outcome.differences == ()
    assert [(axis.axis_key, axis.likelihoods) for axis in outcome.axes] == [
        ("reading.en", 36),
        ("reading.ms", 36),
        ("facts.en", 0),
    ]
    assert [(axis.largest, axis.median) for axis in outcome.axes] == [(0, 0), (0, 0), (None, None)]
    assert outcome.axes[2].texts_equal == outcome.axes[2].texts == 12


def test_a_sample_asks_that_many_items_and_no_more(root: Path) -> None:
    model = ScriptedModel()
    outcome = rerun(root, RUN_ID, model, sample=7, seed=3)
    assert outcome.asked == model.calls == 7
    assert sum(axis.asked for axis in outcome.axes) == 7


def test_the_same_seed_draws_the_same_items_and_another_seed_others() -> None:
    keys = [("reading.en", f"en/q{at}") for at in range(100)]
    assert draw_items(keys, 10, 1) == draw_items(list(reversed(keys)), 10, 1)
    assert draw_items(keys, 10, 1) != draw_items(keys, 10, 2)


@given(st.integers(1, 30), st.integers())
def test_a_draw_has_the_size_asked_for_and_grows_without_changing(size: int, seed: int) -> None:
    keys = [("reading.en", f"en/q{at}") for at in range(20)]
    drawn = draw_items(keys, size, seed)
    assert len(drawn) == min(size, 20)
    assert drawn <= draw_items(keys, size + 1, seed)


def test_a_bit_that_differs_in_the_same_runtime_does_not_agree(root: Path) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel(shift=1e-9))
    assert not outcome.agrees
    assert len(outcome.differences) == 24
    assert all(axis.largest is None or 0 < axis.largest < 1e-8 for axis in outcome.axes)


@pytest.mark.parametrize(("shift", "agrees"), [(0.019, True), (0.2, False)])
def test_another_runtime_version_agrees_within_a_fiftieth_of_a_nat(root: Path, shift: float, agrees: bool) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel(shift=shift, runtime_version="0.1.6"))
    assert outcome.tolerance.nat == 0.02
    assert outcome.tolerance.why == "not bit-identical: runtime version"
    assert outcome.agrees is agrees


@pytest.mark.parametrize(
    ("model", "platform", "why"),
    [(ScriptedModel(threads=2), None, "batching"), (ScriptedModel(), "Linux aarch64", "platform")],
)
def test_what_can_change_a_bit_is_named(root: Path, model: ScriptedModel, platform: str | None, why: str) -> None:
    assert rerun(root, RUN_ID, model, sample=1, platform=platform).tolerance.why == f"not bit-identical: {why}"


def test_a_stated_tolerance_decides(root: Path) -> None:
    assert rerun(root, RUN_ID, ScriptedModel(shift=0.05), tolerance=0.06).agrees
    assert not rerun(root, RUN_ID, ScriptedModel(shift=0.05), tolerance=0.01).agrees


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf")])
def test_a_tolerance_that_is_no_difference_is_refused(root: Path, tolerance: float) -> None:
    with pytest.raises(ProofError, match="difference in nat"):
        rerun(root, RUN_ID, ScriptedModel(), tolerance=tolerance)


def test_flips_are_listed_even_within_the_tolerance(root: Path) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel(shift=9.0), tolerance=10.0)
    flips = [one for one in outcome.differences if one.flipped]
    assert flips
    assert sum(axis.flips for axis in outcome.axes) == len(flips)
    assert outcome.agrees
    assert f"chose {flips[0].recorded}, now {flips[0].now}" in render_rerun(outcome)


def test_another_text_does_not_agree_and_both_are_shown(root: Path) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel(suffix="!"))
    assert not outcome.agrees
    assert outcome.exit_code is ExitCode.NO
    assert {one.axis_key for one in outcome.differences} == {"facts.en"}
    assert "now ' 1!\\n'" in render_rerun(outcome)


def test_a_call_that_fails_now_does_not_agree(root: Path) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel(silent_on="What is 4?"))
    assert not outcome.agrees
    assert outcome.exit_code is ExitCode.CANNOT_TELL
    assert sum(axis.failed for axis in outcome.axes) == 3
    assert "no answer now (backend: the model said nothing)" in render_rerun(outcome)


def test_a_control_has_no_weights_to_be_what_they_are_called(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    init_archive(root)
    make_sealed_run(root, open_model("control:random", cache_dir=tmp_path))
    text = render_rerun(rerun(root, RUN_ID, open_model("control:random", cache_dir=tmp_path)))
    assert "weights" not in text
    assert "Not proven: anything about a language model: a synthetic control answered." in text


def test_other_weights_are_refused_before_any_call(root: Path) -> None:
    model = ScriptedModel(weights="0" * 64)
    with pytest.raises(OtherModelError, match="weights_sha256 0000"):
        rerun(root, RUN_ID, model)
    assert model.calls == 0


def test_another_model_asked_on_purpose_is_no_proof(root: Path) -> None:
    outcome = rerun(root, RUN_ID, ScriptedModel(weights="0" * 64), other_model=True)
    assert not outcome.same_model
    assert "proves nothing about the run's model" in render_rerun(outcome)


def test_a_damaged_run_is_not_asked(root: Path) -> None:
    raw = root / "runs" / RUN_ID / "raw/reading.en.ndjson"
    raw.write_bytes(raw.read_bytes().replace(b"-", b"_", 1))
    with pytest.raises(NotIntactError, match=r"raw/reading\.en\.ndjson") as caught:
        rerun(root, RUN_ID, ScriptedModel())
    assert caught.value.exit_code is ExitCode.NO


def test_an_empty_sample_is_refused(root: Path) -> None:
    with pytest.raises(ProofError, match="at least one item"):
        rerun(root, RUN_ID, ScriptedModel(), sample=0)


def test_items_that_were_not_answered_are_not_asked_again(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", ScriptedModel(silent_on="What is 4?"))
    outcome = rerun(tmp_path / "babel-data", RUN_ID, ScriptedModel())
    assert (outcome.asked, outcome.answered, outcome.agrees) == (33, 33, True)


def test_a_run_without_an_answer_agrees_with_nothing(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", ScriptedModel(silent_on="What"))
    outcome = rerun(tmp_path / "babel-data", RUN_ID, ScriptedModel())
    assert not outcome.agrees
    assert outcome.exit_code is ExitCode.CANNOT_TELL
    assert "Nothing was compared" in render_rerun(outcome)


def test_progress_ends_at_what_was_planned(root: Path) -> None:
    steps: list[tuple[int, int]] = []
    rerun(root, RUN_ID, ScriptedModel(), progress=lambda done, planned: steps.append((done, planned)))
    assert steps[-1] == (36, 36)
    assert steps == sorted(steps)


def test_a_control_is_known_by_its_name(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    make_sealed_run(root, open_model("control:random", cache_dir=tmp_path))
    assert rerun(root, RUN_ID, open_model("control:random", cache_dir=tmp_path)).agrees
    with pytest.raises(OtherModelError, match="control-longest"):
        rerun(root, RUN_ID, open_model("control:longest", cache_dir=tmp_path))


def test_the_text_says_who_was_asked_what_agrees_and_what_is_not_proven(root: Path) -> None:
    text = " ".join(render_rerun(rerun(root, RUN_ID, ScriptedModel(), sample=10, seed=5)).split())
    assert "10 of 36 answered items asked again, drawn by sha256 of seed 5 and item id" in text
    assert "the run's own model" in text
    assert "agrees: asked again" in text
    assert "Not proven: the 26 items not asked" in text
