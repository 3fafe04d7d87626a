"""From a name that a user types to an open model (contract-bench.md §4)."""

from collections.abc import Sequence
from pathlib import Path

from benchproof.models.controls import CONTROL_NAMES, ControlModel
from benchproof.models.errors import ModelError, UnknownModelError
from benchproof.models.naming import nearest_names
from benchproof.models.protocol import Model

_LATER_BACKENDS = ("hf", "inspect", "lm-eval", "openai")


def list_model_names() -> list[str]:
    """Names that ``open_model`` knows without a path, sorted."""
    return sorted(f"control:{name}" for name in CONTROL_NAMES)


def open_model(
    spec: str,
    *,
    seed: int = 0,
    threads: int = 1,  # noqa: ARG001
    context: int | None = None,  # noqa: ARG001
    cache_dir: Path,  # noqa: ARG001
    search_paths: Sequence[Path] | None = None,  # noqa: ARG001
) -> Model:
    """Open the model called ``spec``.

    Args:
        spec: ``control:NAME``.
        seed: Of the controls' choices.
        threads: CPU threads of the runtime; more than one may change the last bits of a likelihood.
        context: Tokens of the context window; ``None`` takes the model's own, up to a limit.
        cache_dir: Where prepared weights are kept between runs; made when it is missing.
        search_paths: Folders in which installed packages are looked for; ``None`` means ``sys.path``.

    Raises:
        UnknownModelError: No model is called so; the message names the nearest.
    """
    backend, colon, name = spec.partition(":")
    if colon and backend == "control":
        return ControlModel(name, seed=seed)
    if colon and backend == "replay":
        raise ModelError("a replay is opened by the harness, which knows the archive", got=spec)
    if colon and backend in _LATER_BACKENDS:
        raise ModelError("this backend is not built yet", got=spec, expected="gguf:… or control:…")
    raise UnknownModelError("there is no model of this name", got=spec, hint=nearest_names(spec, list_model_names()))
