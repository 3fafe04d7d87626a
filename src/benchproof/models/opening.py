"""From a name that a user types to an open model (contract-bench §4)."""

from collections.abc import Sequence
from pathlib import Path

from benchproof.models.catalogue import load_catalogue
from benchproof.models.controls import CONTROL_NAMES, ControlModel, describe_control
from benchproof.models.errors import ModelError, UnknownModelError
from benchproof.models.naming import nearest_names
from benchproof.models.protocol import BatchingMethod, Model

CONTROL = "control:"
_LATER_BACKENDS = ("hf", "inspect", "lm-eval", "openai")


def list_model_names() -> list[str]:
    """Names that ``open_model`` knows without a path, sorted."""
    return list(describe_model_names())


def describe_model_names() -> dict[str, str]:
    """What each name of ``list_model_names`` stands for, in words."""
    described = {f"control:{name}": describe_control(name) for name in CONTROL_NAMES}
    described |= {name: f"{each.model}, {each.variant} ({each.license})" for name, each in load_catalogue().items()}
    return dict(sorted(described.items()))


def check_model_name(spec: str) -> None:
    """Refuse a name that ``open_model`` cannot know; no package, weights or file is opened for it.

    Raises:
        UnknownModelError: No model is called so; the message names the nearest.
        ModelError: The name belongs to another version or another function.
    """
    backend, colon, name = spec.partition(":")
    if spec.startswith(CONTROL):
        ControlModel(name)
        return
    if colon and backend == "replay":
        raise ModelError("a replay is opened by the harness, which knows the archive", got=spec)
    if colon and backend in _LATER_BACKENDS:
        raise ModelError("this backend is not built yet", got=spec, expected="gguf:… or control:…")
    target = _drop_backend(spec)
    if target in load_catalogue() or target.casefold().endswith(".gguf"):
        return
    if backend == "gguf" and target and Path(target).is_file():
        return
    raise UnknownModelError(
        "there is no model of this name",
        got=spec,
        expected="a name, control:NAME, or the path of a *.gguf file",
        hint=nearest_names(spec, list_model_names()),
    )


def _drop_backend(spec: str) -> str:
    return spec.removeprefix("gguf:")


def open_model(
    spec: str,
    *,
    seed: int = 0,
    threads: int = 1,
    context: int | None = None,
    batching: BatchingMethod | None = None,
    runtime: str | None = None,
    cache_dir: Path,
    search_paths: Sequence[Path] | None = None,
) -> Model:
    """Open the model called ``spec``.

    Args:
        spec: ``control:NAME``, a packaged model's name, the path of a ``*.gguf`` file, or either after ``gguf:``, where
            the file may have any name.
        seed: Of the controls' choices.
        threads: CPU threads of the runtime; more than one may change the last bits of a likelihood.
        context: Tokens of the context window; ``None`` takes what the model was trained for, up to 4,096.
        batching: How likelihoods are computed; a control has none. ``None``: ``passage`` (``shared`` where there is no
            passage) for weights in F16, BF16 and F32, ``exact`` for quantised ones, whose likelihoods depend on it.
        runtime: The package that runs weights, such as ``ik-llama-cpp-python``; ``None`` takes the preferred one of
            those installed. Likelihoods depend on it. A control needs none.
        cache_dir: Where prepared weights, and verdicts on weights that are not pinned, are kept between runs; made when
            it is missing.
        search_paths: Folders in which installed packages are looked for; ``None`` means ``sys.path``.

    Raises:
        UnknownModelError: No model is called so; the message names the nearest.
        RuntimeMissingError, WeightsMissingError: Something is not installed, or is of a version that is not supported;
            the message says what and how (exit 4).
        WeightsError: The file is truncated, no GGUF, refused by the runtime, or ends the process trying it (exit 2).
        TrialError: Weights that are not pinned could not be tried in a process of their own (exit 4).
        PreparationError: Packaged weights are not the pinned ones, or cannot be prepared in the cache (exit 4).
    """
    check_model_name(spec)
    if spec.startswith(CONTROL):
        return ControlModel(spec.removeprefix(CONTROL), seed=seed)
    from benchproof.models.gguf_opening import open_file, open_packaged
    from benchproof.models.trial import Trial

    target, trial = _drop_backend(spec), Trial(cache_dir)
    if target in load_catalogue():
        return open_packaged(
            load_catalogue()[target],
            cache_dir=cache_dir,
            search_paths=search_paths,
            threads=threads,
            context=context,
            batching=batching,
            runtime=runtime,
            trial=trial,
        )
    return open_file(Path(target), threads=threads, context=context, batching=batching, runtime=runtime, trial=trial)
