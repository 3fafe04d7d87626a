"""Memory an item: what is held grows with the number of items by little, and by no text."""

from pathlib import Path

from benchproof.harness import CompiledBench, compile_bench
from benchproof.harness.compiling import BenchReading, read_bench
from benchproof.harness.control_lints import ask_controls, b047_control_above_chance, find_solved_by_all, measure_floors
from benchproof.harness.data_lints import list_data_findings
from benchproof.models import ControlModel
from harness.fakes import Bench
from harness.growing import measure_growth


def test_a_run_holds_at_most_150_bytes_an_item(tmp_path: Path) -> None:
    """ "runner with flat memory": an index of what is planned and recorded, and nothing else."""

    def run(bench: Path) -> None:
        outcome = Bench(tmp_path / f"{bench.name}-archive").run(
            compile_bench(bench), ControlModel("first"), events=lambda _event: None
        )
        assert outcome.status == "sealed"

    assert measure_growth(tmp_path, Path, run) < 150


def test_a_check_holds_at_most_300_bytes_an_item(tmp_path: Path) -> None:
    """Six controls are asked, and of each answer no more than the score is kept."""

    def read(bench: Path) -> tuple[BenchReading, CompiledBench]:
        return read_bench(bench), compile_bench(bench)

    def check(bench: tuple[BenchReading, CompiledBench]) -> None:
        reading, compiled = bench
        assert reading.config is not None
        list_data_findings(reading.config, reading.data)
        asked = ask_controls(compiled)
        floors = measure_floors(asked)
        b047_control_above_chance(floors, asked, {"q.en": "bench.yaml"})
        find_solved_by_all(floors)

    assert measure_growth(tmp_path, read, check, few=300, many=1500, words=5) < 300
