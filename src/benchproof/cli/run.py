"""``benchproof run``: ask models the questions of a bench, and seal the evidence."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import count_of, print_json, say, worst_exit
from benchproof.cli.plans import print_plans
from benchproof.cli.surroundings import (
    SurroundingsError,
    archive_option,
    json_option,
    planned_archive,
    runtime_option,
    writable_archive,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchproof.cli.asking import Asked
    from benchproof.models import BatchingMethod


@click.command("run")
@click.argument("what", nargs=-1, metavar="BENCH... MODEL...")
@click.option(
    "--bench", "more_benches", metavar="BENCH", multiple=True, help="A bench, beside those among the arguments."
)
@click.option(
    "--model", "more_models", metavar="MODEL", multiple=True, help="A model, beside those among the arguments."
)
@click.option("--plan", is_flag=True, help="Print what would be asked and what would not run, and stop.")
@click.option("--languages", metavar="CODES", help="Only these languages, separated by commas.")
@click.option("--axes", metavar="NAMES", help="Only these axes, separated by commas.")
@click.option(
    "--max-rows",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most so many questions an axis and language, chosen by --seed.",
)
@click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="Seed of every choice; recorded.")
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop after so long, and seal what was answered as partial (exit 3).",
)
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
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    default=1,
    show_default=True,
    help="Processes that answer side by side, each with a model of its own in memory beside this command's; the sealed"
    " bytes are the same. For a control none is started.",
)
@click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", default=1, show_default=True, help="Threads of the runtime."
)
@click.option(
    "--context",
    type=click.IntRange(min=8),
    metavar="TOKENS",
    help="Context window in tokens (default: the model's own, at most 4,096).",
)
@click.option(
    "--batching",
    type=click.Choice(["exact", "shared", "passage"]),
    help="How likelihoods are computed: one decode a candidate, one an item, or the passage once for its items"
    " (default: passage on F16, BF16 and F32 weights, exact on quantised ones).",
)
@runtime_option()
@click.option(
    "--attach",
    "attached",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Seal this file with each run, under its own name in attachments/.",
)
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
    workers: int,
    threads: int,
    context: int | None,
    batching: "BatchingMethod | None",
    runtime: str | None,
    attached: tuple[Path, ...],
    archive: Path | None,
    as_json: bool,
) -> int:
    """Ask each MODEL every question of each BENCH, and seal what was answered.

    BENCH is a folder with a bench.yaml, or a bundled bench (`benchproof list benches`). MODEL is a name
    (`benchproof list models`), a .gguf file, control:NAME, or replay:RUN.

    Ctrl-C keeps every finished answer: the run stays open and --resume goes on. Nothing is sent anywhere.
    """
    from benchproof.cli.asking import AskOptions, ask_all, asked_as_json
    from benchproof.cli.attached import read_attached
    from benchproof.harness import check_model, compile_bench, find_bench

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
    # Every name is checked before the first call: a slip of the pen must not cost the hours of the models before it.
    known = planned_archive(archive)
    for spec in models:
        check_model(spec, root=known)
    options = AskOptions(resume, reuse, budget, threads, context, batching, workers, runtime, read_attached(attached))
    if plan:
        return print_plans(known, compiled, models, options, as_json=as_json)
    results = ask_all(writable_archive(archive), compiled, models, options, quiet=as_json)
    if as_json:
        print_json([asked_as_json(asked) for asked in results])
    _say_what_next(results, len(compiled) * len(models), archive)
    return worst_exit([asked.exit_code for asked in results])


def _say_what_next(results: "list[Asked]", planned: int, archive: Path | None) -> None:
    """Which runs there are none of, and the command that prints the numbers of the others."""
    failed = [f"{asked.bench} on {asked.model_spec}" for asked in results if asked.error is not None]
    if failed and planned > 1:
        say(f"{len(failed)} of {planned} runs failed: {', '.join(failed)}")
    if len(results) < planned:
        say(f"{count_of(planned - len(results), 'run')} not begun")
    sealed = dict.fromkeys(asked.bench for asked in results if asked.is_sealed)
    if sealed:
        where = [] if archive is None else ["--archive", str(archive)]
        say(f"next: benchproof {shlex.join(['table', *sealed, *where])}")


def _split(words: str | None) -> list[str] | None:
    return None if words is None else [word.strip() for word in words.split(",") if word.strip()]


def sort_words(
    words: tuple[str, ...], benches: tuple[str, ...], models: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """Benches and models among the arguments: what is a bench folder or a bundled bench is a bench."""
    from benchproof.harness import list_benches

    bundled = list_benches()
    of_bench = [word for word in words if word in bundled or _is_bench_path(word)]
    others = [word for word in words if word not in of_bench]
    all_benches = [*of_bench, *benches]
    all_models = [*others, *models]
    if not all_benches:
        raise SurroundingsError(
            "no bench is named",
            got=" ".join(all_models) or "nothing",
            expected="BENCH MODEL, where BENCH is a folder with a bench.yaml, or a bundled bench",
            hint=_suggest_bench(others, bundled) or f"Bundled: {', '.join(bundled) or 'none'}.",
        )
    if not all_models:
        raise SurroundingsError(
            "no model is named",
            got=" ".join(all_benches),
            expected="BENCH MODEL",
            hint="`benchproof list models` names them.",
        )
    return all_benches, all_models


def _suggest_bench(words: "Iterable[str]", bundled: "Iterable[str]") -> str | None:
    from difflib import get_close_matches

    near = next((near[0] for word in words if (near := get_close_matches(word, list(bundled), n=1))), None)
    return f"Did you mean {near}?" if near else None


def _is_bench_path(word: str) -> bool:
    path = Path(word)
    return path.is_dir() or path.name == "bench.yaml"
