"""``run --plan``: what would be asked. No question is put to a model, and nothing is written to an archive."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchproof.cli.output import print_json, print_text, say_failed, terminal_width, worst_exit
from benchproof.cli.surroundings import cache_folder
from benchproof.errors import BenchproofError, ExitCode

if TYPE_CHECKING:
    from benchproof.cli.asking import AskOptions
    from benchproof.harness import CompiledBench, RunPlan


def print_plans(
    root: Path | None,
    benches: "Sequence[CompiledBench]",
    models: Sequence[str],
    options: "AskOptions",
    *,
    as_json: bool,
) -> ExitCode:
    """Print one plan a bench and model; a model that cannot be opened is said, and the others are planned."""
    from benchproof.harness import describe_plan, render_plan

    shown: list[Any] = []
    codes = []
    for bench in benches:
        for spec in models:
            try:
                plan = _plan(root, bench, spec, options)
            except BenchproofError as error:
                say_failed(spec, error)
                codes.append(error.exit_code)
                shown.append({"bench": bench.name, "model": spec, "error": str(error)})
                continue
            shown.append(describe_plan(plan))
            if not as_json:
                print_text(render_plan(plan, width=terminal_width()))
    if as_json:
        print_json(shown)
    return worst_exit(codes)


def _plan(root: Path | None, bench: "CompiledBench", spec: str, options: "AskOptions") -> "RunPlan":
    from benchproof.harness import open_harness_model, plan_run

    with closing(
        open_harness_model(
            spec,
            root=root,
            seed=bench.seed,
            threads=options.threads,
            context=options.context,
            batching=options.batching,
            runtime=options.runtime,
            cache_dir=cache_folder(),
        )
    ) as model:
        return plan_run(
            root,
            bench,
            model,
            model_spec=spec,
            max_wall_seconds=options.max_wall_seconds,
            workers=options.workers,
        )
