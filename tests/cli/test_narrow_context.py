"""The context window belongs to a run: asked again under the same, not found again under another."""

from pathlib import Path

import pytest

from benchproof.models import Model
from cli.calling import TINY, CommandLine, write_sums


@pytest.mark.model
def test_a_run_under_a_narrow_context_is_asked_again_under_the_same_and_not_reused_under_another(
    line: CommandLine, smollm2: Model, weights_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BENCHPROOF_CACHE", str(weights_cache))
    bench = write_sums(tmp_path / "sums", 1)
    narrow = line("run", bench, "smollm2", "--context", "14", "--json")
    assert narrow.code == 0
    assert "context_full in 1 of 1 calls" in narrow.err
    assert line("rerun", narrow.read_json()[0]["run"]).code == 0
    assert line.run(bench, "smollm2", "--reuse")["status"] == "sealed"


@pytest.mark.model
def test_a_window_narrower_than_the_passages_is_said_by_the_plan_and_refused_by_the_run(
    line: CommandLine, smollm2: Model, weights_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHPROOF_CACHE", str(weights_cache))
    words = (TINY, "smollm2", "--axes", "reading", "--languages", "en", "--context", "8")
    planned = line("run", *words, "--plan")
    assert planned.code == 0
    assert "too long: reading.en: 3 of 3 items do not fit the context window of 8 tokens" in planned.out
    asked = line("run", *words)
    assert asked.code == 4
    assert "no item of the bench fits the context window of the model; got 8 tokens" in asked.err
    assert "Name a wider window with --context" in asked.err
