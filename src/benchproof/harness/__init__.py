"""The bench runtime: compile a bench package, ask a model, seal what it answered."""

from benchproof.harness.axis_config import AxisConfig, DroppedAxis
from benchproof.harness.batching_comparison import (
    BatchingComparison,
    MethodFacts,
    compare_batching,
    describe_comparison,
    render_comparison,
)
from benchproof.harness.check_report import describe_check, render_check
from benchproof.harness.checking import AxisFacts, BenchCheck, check_bench
from benchproof.harness.clock import Clock
from benchproof.harness.compiling import BenchReading, CompiledBench, compile_bench, read_bench
from benchproof.harness.config import BenchConfig, load_bench
from benchproof.harness.control_lints import Floor
from benchproof.harness.environment import describe_environment
from benchproof.harness.errors import (
    BenchError,
    BenchNotFoundError,
    HarnessError,
    RunKeyError,
    SelectionError,
)
from benchproof.harness.events import Event, ItemDone, Note, OnEvent, Reused, RunStarted, Sealed, Stopped
from benchproof.harness.model_opening import check_model, open_harness_model
from benchproof.harness.opening import find_batching
from benchproof.harness.package import find_bench, list_benches
from benchproof.harness.plan_report import describe_plan, describe_seconds, render_plan
from benchproof.harness.planning import AxisPlan, RunPlan, plan_run
from benchproof.harness.replay import ReplayModel
from benchproof.harness.running import run_bench
from benchproof.harness.sitting import RunOutcome
from benchproof.harness.summary import summarize
from benchproof.harness.worker_process import WorkerError
from benchproof.harness.workers import WorkerPool

__all__ = [
    "AxisConfig",
    "AxisFacts",
    "AxisPlan",
    "BatchingComparison",
    "BenchCheck",
    "BenchConfig",
    "BenchError",
    "BenchNotFoundError",
    "BenchReading",
    "Clock",
    "CompiledBench",
    "DroppedAxis",
    "Event",
    "Floor",
    "HarnessError",
    "ItemDone",
    "MethodFacts",
    "Note",
    "OnEvent",
    "ReplayModel",
    "Reused",
    "RunKeyError",
    "RunOutcome",
    "RunPlan",
    "RunStarted",
    "Sealed",
    "SelectionError",
    "Stopped",
    "WorkerError",
    "WorkerPool",
    "check_bench",
    "check_model",
    "compare_batching",
    "compile_bench",
    "describe_check",
    "describe_comparison",
    "describe_environment",
    "describe_plan",
    "describe_seconds",
    "find_batching",
    "find_bench",
    "list_benches",
    "load_bench",
    "open_harness_model",
    "plan_run",
    "read_bench",
    "render_check",
    "render_comparison",
    "render_plan",
    "run_bench",
    "summarize",
]
