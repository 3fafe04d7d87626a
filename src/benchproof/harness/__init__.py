"""The bench runtime: compile a bench package, ask a model, seal what it answered."""

from benchproof.harness.axis_config import AxisConfig, DroppedAxis
from benchproof.harness.compiling import BenchReading, CompiledBench, compile_bench, read_bench
from benchproof.harness.config import BenchConfig, load_bench
from benchproof.harness.errors import (
    BenchError,
    BenchNotFoundError,
    HarnessError,
    SelectionError,
)
from benchproof.harness.package import find_bench, list_benches

__all__ = [
    "AxisConfig",
    "BenchConfig",
    "BenchError",
    "BenchNotFoundError",
    "BenchReading",
    "CompiledBench",
    "DroppedAxis",
    "HarnessError",
    "SelectionError",
    "compile_bench",
    "find_bench",
    "list_benches",
    "load_bench",
    "read_bench",
]
