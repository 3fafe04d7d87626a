"""What the command line takes from its surroundings: environment variables, folders, the clock, versions.

This is the one place that reads environment variables (contract-architecture, law 6); rooms below get arguments.
"""

import os
import platform
import secrets
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import click

from benchproof.errors import BenchproofError

ARCHIVE_VARIABLE = "BENCHPROOF_ARCHIVE"
CACHE_VARIABLE = "BENCHPROOF_CACHE"
INSPECT_VARIABLE = "BENCHPROOF_INSPECT_ARCHIVE"
ARCHIVE_NAME = "babel-data"
STORE_FILE = "store.json"
BEGUN = frozenset({".locks", ".staging", "runs"})
# Variables that can change a score: recorded with a run where they are set.
SCORE_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "GGML_N_THREADS", "PYTHONHASHSEED")
RUNTIMES = ("ik-llama-cpp-python", "llama-cpp-python")
# Packages whose version can change a score or a number.
SCORE_PACKAGES = ("benchproof", *RUNTIMES, "numpy", "scipy")


class SurroundingsError(BenchproofError):
    """Something that a command needs from its surroundings is not there."""


def archive_option(function: click.decorators.FC) -> click.decorators.FC:
    """The ``--archive`` option that every command on evidence takes."""
    return click.option(
        "--archive",
        type=click.Path(path_type=Path),
        help=f"The archive folder (default: ${ARCHIVE_VARIABLE}, or the nearest {ARCHIVE_NAME}/ upwards).",
    )(function)


def json_option(function: click.decorators.FC) -> click.decorators.FC:
    """The ``--json`` option of every reading verb."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")(function)


def expect_option(function: click.decorators.FC) -> click.decorators.FC:
    """The ``--expect`` option of every command that prints numbers or what they stand on."""
    return click.option(
        "--expect",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Compare with references that were kept outside the archive (verify --write-expect FILE wrote them).",
    )(function)


def read_references(expect: Path | None) -> dict[str, str]:
    """The references of ``--expect``; none where it is not given."""
    from benchproof.proof import read_expect

    return {} if expect is None else read_expect(expect)


def runtime_option(
    default: str = "llama-cpp-python where it is installed",
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """The ``--runtime`` option of every command that opens weights; ``default`` says in words what is taken."""
    return click.option(
        "--runtime",
        type=click.Choice(RUNTIMES),
        help=f"The package that runs GGUF weights (default: {default}). Likelihoods depend on it; recorded.",
    )


def archive_if_any(given: Path | None) -> Path | None:
    """The archive that is named, or the nearest one; it may not exist yet where it is named."""
    from benchproof.archive import find_archive

    if given is not None:
        return given
    named = os.environ.get(ARCHIVE_VARIABLE)
    return Path(named) if named else find_archive(Path.cwd())


def inspect_archive() -> Path | None:
    """The archive that runs of Inspect are sealed in as they end; none where the variable is not set."""
    named = os.environ.get(INSPECT_VARIABLE)
    return Path(named) if named else None


def existing_archive(given: Path | None) -> Path:
    """The archive to read, which must exist."""
    root = archive_if_any(given)
    if root is None:
        raise SurroundingsError(
            f"there is no {ARCHIVE_NAME}/ folder here or above",
            place=str(Path.cwd()),
            hint="Run a bench first (benchproof run), or name the archive with --archive.",
        )
    if (root / STORE_FILE).is_file():
        return root
    if not root.exists():
        raise SurroundingsError("there is no such archive", place=str(root), hint=_say_who_named(given))
    raise _no_archive(root, given)


def writable_archive(given: Path | None) -> Path:
    """The archive to write to; one is made in this folder where there is none."""
    from benchproof.archive import init_archive

    root = planned_archive(given) or archive_if_any(given) or Path.cwd() / ARCHIVE_NAME
    init_archive(root)
    return root


def planned_archive(given: Path | None) -> Path | None:
    """The archive that a run would write to, or ``None`` where it is still to be made; nothing is made."""
    root = archive_if_any(given)
    return None if root is None or _is_still_to_be_made(root) else existing_archive(given)


def _is_still_to_be_made(root: Path) -> bool:
    """Whether nothing is there, or only what an archive that could not be finished began with."""
    if not root.is_dir():
        return not root.exists()
    return {entry.name for entry in root.iterdir()} <= BEGUN


def _no_archive(root: Path, given: Path | None) -> SurroundingsError:
    return SurroundingsError(
        "this is no archive",
        place=str(root),
        got="a folder without store.json" if root.is_dir() else "a file",
        expected="a folder that `benchproof run` made",
        hint=_say_who_named(given),
    )


def _say_who_named(given: Path | None) -> str:
    return "Is --archive right?" if given is not None else f"Is the environment variable {ARCHIVE_VARIABLE} right?"


def cache_folder() -> Path:
    """Where converted weights are kept: ``$BENCHPROOF_CACHE``, else the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "benchproof"


def now() -> datetime:
    """The wall clock, in UTC."""
    return datetime.now(UTC)


def run_token() -> str:
    """Four hexadecimal characters that keep two runs of one second apart."""
    return secrets.token_hex(2)


def environment_facts() -> dict[str, Any]:
    """What can have changed a score: recorded in every run's manifest."""
    from benchproof.harness import describe_environment

    return describe_environment(
        python=f"{sys.implementation.name} {platform.python_version()}",
        platform=f"{platform.system()} {platform.machine()}",
        packages={name: version for name in SCORE_PACKAGES if (version := _version_of(name))},
        variables={name: os.environ[name] for name in SCORE_VARIABLES if name in os.environ},
        caller_git=_caller_commit(),
    )


def _version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _caller_commit() -> str | None:
    """The commit of the folder the command was called in, with ``+dirty`` where it has changes."""
    try:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=True)
        changes = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no"],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return commit.stdout.strip() + ("+dirty" if changes.stdout.strip() else "")
