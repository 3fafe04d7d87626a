"""Versions of a binding that its file was written for: another one may lay out its structures in another way."""

import importlib.metadata
import re
from dataclasses import dataclass

from benchproof.models.runtime import RuntimeFailure


@dataclass(frozen=True, slots=True)
class VersionRange:
    """From ``at_least`` up to, and without, ``below``; both as dotted numbers."""

    at_least: str
    below: str

    def __contains__(self, version: str) -> bool:
        """Whether a version lies in the range; what follows its numbers does not count."""
        return _read_numbers(self.at_least) <= _read_numbers(version) < _read_numbers(self.below)

    def __str__(self) -> str:
        """The range as a package index reads it."""
        return f">={self.at_least},<{self.below}"


def demand_version(package: str, supported: VersionRange) -> str:
    """The installed version of ``package``; ``RuntimeFailure`` where it is not a supported one, or not stated."""
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise RuntimeFailure(f"{package} can be imported but does not state its version") from error
    if version not in supported:
        raise RuntimeFailure(f"{package} {version}, where {supported} is supported")
    return version


def _read_numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(number) for number in found[0].split(".")) if found else ()
