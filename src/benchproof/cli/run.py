"""``benchproof run``: ask models the questions of a bench, and seal the evidence."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, print_text, say
from benchproof.cli.surroundings import (
    SurroundingsError,
    archive_if_any,
    archive_option,
    cache_folder,
    json_option,
    writable_archive,
)
from benchproof.errors import ExitCode

if TYPE_CHECKING:
    from benchproof.cli.asking import AskOptions
    from benchproof.harness import CompiledBench


@click.command("run")
@click.argument("what", nargs=-1, metavar="BENCH... MODEL...")
@click.option("--bench", "more_benches", multiple=True, help="A bench, beside those among the arguments.")
@click.option("--model", "more_models", multiple=True, help="A model, beside those among the arguments.")
@click.option("--plan", is_flag=True, help="Print what would be asked and what would not run, and stop.")
@click.option("--languages", help="Only these languages, separated by commas.")
@click.option("--axes", help="Only these axes, separated by commas.")
@click.option(
    "--max-rows", type=click.IntRange(min=1), help="At most so many questions an axis and language, chosen by --seed."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of every choice; recorded.")
@click.option("--budget", type=click.FloatRange(min=0), help="Seconds; the run is then sealed as partial (exit 3).")
@click.option("--resume", is_flag=True, help="Go on with the newest open run of the same bench, model and options.")
@click.option(
    "--reuse", is_flag=True, help="Ask nothing where a sealed run of the same bench, model and options is here."
)
@click.option(
    "--chat-template",
    type=click.Choice(["auto", "always"]),
    default="auto",
    show_default=True,
    help="auto sends prompts raw; always applies the model's own template where text is generated.",
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of the runtime.")
@click.option("--context", type=click.IntRange(min=8), help="Context window in tokens (default: the model's own).")
@archive_option
@json_option
def command(
    what: tuple[str, ...],
    more_benches: tuple[str, ...],
    more_models: tuple[str, ...],
    plan: bool,
    languages: str | None,
    axes: str | None,
    max_rows: int | None,
    seed: int,
    budget: float | None,
    resume: bool,
    reuse: bool,
    chat_template: str,
    threads: int,
    context: int | None,
    archive: Path | None,
    as_json: bool,
) -> int:
    """Ask each MODEL every question of each BENCH, and seal what was answered.

    BENCH is a folder with a bench.yaml, or a bundled bench (`benchproof list benches`). MODEL is a name
    (`benchproof list models`), a .gguf file, control:NAME, or replay:RUN.

    Ctrl-C keeps every finished answer: the run stays open and --resume goes on. Nothing is sent anywhere.
    """
    from benchproof.cli.asking import AskOptions, ask_model, outcome_as_json
    from benchproof.harness import compile_bench, find_bench

    benches, models = sort_words(what, more_benches, more_models)
    compiled = [
        compile_bench(
            find_bench(bench),
            languages=_split(languages),
            axes=_split(axes),
            max_rows=max_rows,
            seed=seed,
            chat_template=chat_template,  # type: ignore[arg-type]
        )
        for bench in benches
    ]
    options = AskOptions(resume, reuse, budget, threads, context)
    if plan:
        return _print_plans(archive_if_any(archive), compiled, models, options, as_json=as_json)
    root = writable_archive(archive)
    results = []
    for bench in compiled:
        if not as_json:
            click.echo(describe_bench(bench, len(models)))
        for spec in models:
            asked = ask_model(root, bench, spec, options, quiet=as_json)
            results.append(asked)
            if asked.outcome.stopped == "interrupted":
                break
    if as_json:
        print_json([outcome_as_json(asked) for asked in results])
    elif results and all(asked.outcome.sha256 for asked in results):
        say(f"next: benchproof table {compiled[0].name}")
    return worst_exit([asked.outcome.exit_code for asked in results])


def worst_exit(codes: list[ExitCode]) -> ExitCode:
    """One exit code for several runs: interrupted first, then budget, no, cannot tell."""
    order = [ExitCode.INTERRUPTED, ExitCode.STOPPED_BY_BUDGET, ExitCode.NO, ExitCode.CANNOT_TELL, ExitCode.YES]
    return min(codes, key=order.index, default=ExitCode.YES)


def describe_bench(compiled: "CompiledBench", models: int) -> str:
    """The first line of a run."""
    axes = {axis["axis"] for axis in compiled.axes.values()}
    languages = {axis["language"] for axis in compiled.axes.values()}
    items = sum(len(items) for items in compiled.items.values())
    draft = " (draft)" if compiled.bench_version.startswith("0.") else ""
    parts = [_count(len(axes), "axis", "axes"), _count(len(languages), "language"), _count(items, "item")]
    size = f"{parts[0]} × {parts[1]}, {parts[2]}, {_count(models, 'model')}"
    return f"{compiled.name} {compiled.bench_version}{draft}: {size}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _split(words: str | None) -> list[str] | None:
    return None if words is None else [word.strip() for word in words.split(",") if word.strip()]


def sort_words(
    words: tuple[str, ...], benches: tuple[str, ...], models: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """Benches and models among the arguments: what is a bench folder or a bundled bench is a bench."""
    from benchproof.harness import list_benches

    bundled = list_benches()
    of_bench = [word for word in words if word in bundled or _is_bench_path(word)]
    all_benches = [*of_bench, *benches]
    all_models = [*(word for word in words if word not in of_bench), *models]
    if not all_benches:
        missing = ", ".join(all_models) or "nothing"
        raise SurroundingsError(
            "no bench is named",
            got=missing,
            expected="a folder with a bench.yaml, or a bundled bench",
            hint=f"Bundled: {', '.join(bundled) or 'none'}.",
        )
    if not all_models:
        raise SurroundingsError(
            "no model is named", got=" ".join(words), expected="BENCH MODEL", hint="See benchproof list models."
        )
    return all_benches, all_models


def _is_bench_path(word: str) -> bool:
    path = Path(word)
    return path.is_dir() or path.name == "bench.yaml"


def _print_plans(
    root: Path | None, compiled: "list[CompiledBench]", models: list[str], options: "AskOptions", *, as_json: bool
) -> ExitCode:
    """What would be asked; no model is asked and nothing is written."""
    from benchproof.harness import describe_plan, open_harness_model, plan_run, render_plan

    plans = []
    for bench in compiled:
        for spec in models:
            with closing(
                open_harness_model(
                    spec,
                    root=root,
                    seed=bench.seed,
                    threads=options.threads,
                    context=options.context,
                    cache_dir=cache_folder(),
                )
            ) as model:
                plans.append(plan_run(root, bench, model, model_spec=spec, max_wall_seconds=options.max_wall_seconds))
    if as_json:
        print_json([describe_plan(plan) for plan in plans])
    else:
        for plan in plans:
            print_text(render_plan(plan))
    return ExitCode.YES
