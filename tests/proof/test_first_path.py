"""The starter bench on a control and on a real model: run, verify, why, rerun, report."""

import time
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from benchproof.archive import init_archive
from benchproof.harness import Clock, compile_bench, describe_environment, open_harness_model, run_bench
from benchproof.models import Model, open_model
from benchproof.proof import (
    NumberExplanation,
    OtherModelError,
    explain,
    prove_run,
    render_explanation,
    rerun,
    verify_paths,
)
from benchproof.site import render_run_report
from proof.page import read_page

STARTER = Path(__file__).resolve().parents[2] / "benches/starter"


def run_starter(root: Path, model: Model, spec: str, *, max_rows: int) -> str:
    init_archive(root)
    tokens = (f"{number:04x}" for number in count())
    outcome = run_bench(
        root,
        compile_bench(STARTER, max_rows=max_rows),
        model,
        model_spec=spec,
        clock=Clock(lambda: datetime(2026, 11, 30, 21, 25, 41, tzinfo=UTC), time.monotonic),
        draw_token=lambda: next(tokens),
        environment=describe_environment(python="3.11", platform="test", packages={}, caller_git=None, variables={}),
    )
    assert outcome.status == "sealed"
    return outcome.run_id


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "babel-data"


def check_whole_path(root: Path, run_id: str, model: Model) -> None:
    assert verify_paths(root).ok
    proven = prove_run(root, run_id)
    assert proven.run is not None
    assert proven.sheet is not None
    assert proven.proof.rung == "recomputed"
    for number in proven.sheet["numbers"]:
        axis_key = f"{number['axis']}.{number['language']}"
        item_id = next(proven.run.items(axis_key))["item_id"]
        explanation = explain(root, number["tag"], item_id)
        assert isinstance(explanation, NumberExplanation)
        assert explanation.ok
        assert explanation.number == number
        assert item_id in render_explanation(explanation)
    outcome = rerun(root, run_id, model, sample=3, seed=11)
    assert outcome.agrees
    assert outcome.tolerance.nat == 0
    html = render_run_report(proven.run, proven.sheet, proven.proof, built="now", version="0.1.0")
    assert len(read_page(html).of_class("item")) == proven.proof.records


def test_the_starter_bench_on_a_control_is_proven_link_by_link(root: Path, tmp_path: Path) -> None:
    model = open_model("control:random", cache_dir=tmp_path)
    check_whole_path(root, run_starter(root, model, "control:random", max_rows=6), model)


@pytest.mark.model
def test_the_starter_bench_on_a_real_model_is_proven_and_says_the_same_again(root: Path, smollm2: Model) -> None:
    check_whole_path(root, run_starter(root, smollm2, "smollm2", max_rows=1), smollm2)


def test_a_replay_of_a_run_cannot_vouch_for_it(root: Path, tmp_path: Path) -> None:
    run_id = run_starter(root, open_model("control:random", cache_dir=tmp_path), "control:random", max_rows=2)
    replay = open_harness_model(f"replay:{run_id}", root=root, cache_dir=tmp_path)
    with pytest.raises(OtherModelError, match="no model would be asked"):
        rerun(root, run_id, replay)
    assert not rerun(root, run_id, replay, other_model=True).same_model
