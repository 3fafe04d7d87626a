"""What a manifest says of the machine: facts that the caller collected, put in one order."""

from collections.abc import Mapping
from typing import Any

UNKNOWN = "unknown"


def describe_environment(
    *,
    python: str,
    platform: str,
    packages: Mapping[str, str],
    caller_git: str | None,
    variables: Mapping[str, str],
) -> dict[str, Any]:
    """The ``environment`` of a run.

    Args:
        python: Version of the interpreter.
        platform: Operating system and processor.
        packages: Versions of the packages that can change a score.
        caller_git: State of the caller's repository (not of benchproof's); ``None`` where there is none.
        variables: Environment variables that affect a score, and were set.
    """
    return {
        "python": python,
        "platform": platform,
        "packages": dict(sorted(packages.items())),
        "caller_git": caller_git or UNKNOWN,
        "variables": dict(sorted(variables.items())),
    }
