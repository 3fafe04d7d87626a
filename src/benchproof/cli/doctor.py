"""``benchproof doctor``: what is installed, what is missing, and how to get it."""

import platform
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from benchproof import __version__
from benchproof.cli.output import print_json, print_text
from benchproof.cli.progress import AskedBar
from benchproof.cli.surroundings import archive_if_any, archive_option, cache_folder, json_option, runtime_option
from benchproof.errors import ExitCode

BENCH = "starter"


@click.command("doctor")
@click.option(
    "--batching", "spec", metavar="MODEL", help="Ask MODEL in each batching method, and say what sharing changes."
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    default=12,
    show_default=True,
    help="With --batching: so many items of the starter bench, in whole passages.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    default=1,
    show_default=True,
    help="With --batching: of the runtime.",
)
@runtime_option()
@archive_option
@json_option
def command(
    spec: str | None, sample: int, threads: int, runtime: str | None, archive: Path | None, as_json: bool
) -> int:
    """Say what this machine can do: runtimes, weights, archive. Exit 4 when no local model can be run.

    With --batching MODEL: the largest and the median difference of log-likelihoods, and choices that flip, of the
    methods shared and passage against exact. On F16, BF16 and F32 weights exit 1 when one is beyond 0.02 nat or a
    choice flips; of quantised weights nothing is claimed.
    """
    if spec is not None:
        return _compare_batching(spec, sample, threads, runtime, archive, as_json=as_json)
    from benchproof.models import describe_runtime

    facts = describe_runtime(runtime=runtime, cache_dir=cache_folder())
    facts["archive"] = str(archive_if_any(archive) or "none here or above")
    facts["cache"] = str(cache_folder())
    facts["versions"] = {"benchproof": __version__, "python": platform.python_version()}
    able = facts["problem"] is None and any(weights["ready"] for weights in facts["weights"])
    if as_json:
        print_json(facts)
    else:
        _print_facts(facts)
    return ExitCode.YES if able else ExitCode.CANNOT_TELL


def _compare_batching(
    spec: str, sample: int, threads: int, runtime: str | None, archive: Path | None, *, as_json: bool
) -> ExitCode:
    from benchproof.harness import (
        check_model,
        compare_batching,
        compile_bench,
        describe_comparison,
        find_bench,
        open_harness_model,
        render_comparison,
    )

    root = archive_if_any(archive)
    check_model(spec, root=root)
    with closing(AskedBar("comparing")) as bar:
        comparison = compare_batching(
            lambda method: open_harness_model(
                spec, root=root, threads=threads, batching=method, runtime=runtime, cache_dir=cache_folder()
            ),
            compile_bench(find_bench(BENCH)),
            sample=sample,
            cpu_seconds=time.process_time,
            progress=bar,
        )
    if as_json:
        print_json(describe_comparison(comparison))
    else:
        print_text(render_comparison(comparison))
    return comparison.exit_code


def _print_facts(facts: dict[str, Any]) -> None:
    versions = facts["versions"]
    click.echo(f"benchproof  {versions['benchproof']}, Python {versions['python']}, {facts['processor']['machine']}")
    for binding in facts["bindings"]:
        click.echo(f"runtime     {binding['package']}: {_binding_state(binding)}")
        if binding["hint"] and (facts["problem"] or binding["installed"]):
            click.echo(f"            {binding['hint']}")
    for weights in facts["weights"]:
        click.echo(f"weights     {weights['name']}: {_weights_state(weights)}")
        if weights["hint"]:
            click.echo(f"            {weights['hint']}")
    click.echo(f"archive     {facts['archive']}")
    click.echo(f"cache       {facts['cache']}")


def _binding_state(binding: dict[str, Any]) -> str:
    if not binding["installed"]:
        return "not installed"
    version = binding["version"] or "no version stated"
    if binding["problem"]:
        return f"{version}, {binding['problem']}"
    return f"{version}, ready and used" if binding["used"] else f"{version}, not used (--runtime {binding['package']})"


def _weights_state(weights: dict[str, Any]) -> str:
    if weights["ready"]:
        return f"ready ({weights['license']})"
    if weights["version"] is None:
        return f"not installed ({weights['license']})"
    return f"{weights['package']} {weights['version']} lacks {', '.join(weights['missing'])}"
