"""``benchproof doctor``: what is installed, what is missing, and how to get it."""

import platform
from pathlib import Path
from typing import Any

import click

from benchproof import __version__
from benchproof.cli.output import print_json
from benchproof.cli.surroundings import archive_if_any, archive_option, cache_folder, json_option
from benchproof.errors import ExitCode


@click.command("doctor")
@archive_option
@json_option
def command(archive: Path | None, as_json: bool) -> int:
    """Say what this machine can do: runtimes, weights, archive. Exit 4 when no local model can be run."""
    from benchproof.models import describe_runtime

    facts = describe_runtime(cache_dir=cache_folder())
    facts["archive"] = str(archive_if_any(archive) or "none here or above")
    facts["cache"] = str(cache_folder())
    facts["versions"] = {"benchproof": __version__, "python": platform.python_version()}
    able = any(binding["problem"] is None for binding in facts["bindings"])
    able = able and any(weights["ready"] for weights in facts["weights"])
    if as_json:
        print_json(facts)
    else:
        _print_facts(facts)
    return ExitCode.YES if able else ExitCode.CANNOT_TELL


def _print_facts(facts: dict[str, Any]) -> None:
    versions = facts["versions"]
    click.echo(f"benchproof  {versions['benchproof']}, Python {versions['python']}, {facts['processor']['machine']}")
    for binding in facts["bindings"]:
        state = binding["problem"] or f"{binding['version']}, ready"
        click.echo(f"runtime     {binding['package']}: {state}")
        if binding["problem"] and binding.get("hint"):
            click.echo(f"            {binding['hint']}")
    for weights in facts["weights"]:
        click.echo(f"weights     {weights['name']}: {_weights_state(weights)}")
        if weights["hint"]:
            click.echo(f"            {weights['hint']}")
    click.echo(f"archive     {facts['archive']}")
    click.echo(f"cache       {facts['cache']}")


def _weights_state(weights: dict[str, Any]) -> str:
    if weights["ready"]:
        return f"ready ({weights['license']})"
    if weights["version"] is None:
        return f"not installed ({weights['license']})"
    return f"{weights['package']} {weights['version']} lacks {', '.join(weights['missing'])}"
