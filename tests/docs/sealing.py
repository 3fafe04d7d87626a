"""The run whose files the reference shows: the bench of its page, in English, on a control, at a fixed time."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from benchproof.archive import SealedRun, init_archive, load_run, save_sheet
from benchproof.harness import Clock, compile_bench, describe_environment, run_bench
from benchproof.models import ControlModel
from benchproof.scores import compute_score_sheet
from docs.pages import DOCS, write_files

BENCH_PAGE = DOCS / "reference" / "bench-yaml.md"
BEGUN = datetime(2026, 11, 30, 21, 25, 41, tzinfo=UTC)
ENVIRONMENT = describe_environment(
    python="cpython 3.12.3",
    platform="Linux x86_64",
    packages={"benchproof": "0.1.0", "numpy": "2.3.5"},
    caller_git=None,
    variables={},
)


def seal_bench_of_page(folder: Path, *, languages: list[str] | None = None) -> SealedRun:
    """Compile the bench of the page, seal a run of it on ``control:first`` below ``folder``, and keep its sheet."""
    write_files(BENCH_PAGE, folder / "pasar")
    root = folder / "babel-data"
    init_archive(root)
    seconds, ticks = count(), count()
    outcome = run_bench(
        root,
        compile_bench(folder / "pasar", languages=languages),
        ControlModel("first"),
        model_spec="control:first",
        clock=Clock(now=lambda: BEGUN + timedelta(seconds=next(seconds) // 2), monotonic=lambda: next(ticks) / 2500),
        draw_token=lambda: "7f3a",
        environment=ENVIRONMENT,
    )
    run = load_run(root, outcome.run_id)
    save_sheet(root, compute_score_sheet(run))
    return run
