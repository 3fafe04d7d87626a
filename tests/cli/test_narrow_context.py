"""The context window belongs to a run: asked again under the same, not found again under another."""

from pathlib import Path

import pytest

from benchproof.models import Model
from cli.calling import CommandLine, write_sums


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
