"""Memory an item of scoring a sealed run: columns of numbers, and no text but ids."""

from pathlib import Path

from benchproof.archive import SealedRun, load_run
from benchproof.harness import compile_bench
from benchproof.models import ControlModel
from benchproof.scores import compute_score_sheet
from harness.fakes import Bench
from harness.growing import measure_growth


def test_a_score_sheet_is_computed_in_at_most_150_bytes_an_item(tmp_path: Path) -> None:
    def seal(bench: Path) -> SealedRun:
        archive = Bench(tmp_path / f"{bench.name}-archive")
        return load_run(archive.root, archive.run(compile_bench(bench), ControlModel("first")).run_id)

    def score(run: SealedRun) -> None:
        (number,) = compute_score_sheet(run)["numbers"]
        assert number["clusters"] * 2 == number["denominator"]

    assert measure_growth(tmp_path, seal, score, few=1100, many=3000, words=5) < 150
