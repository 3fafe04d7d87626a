"""Open a model by the name that a user types: what ``models`` knows, and ``replay:RUN``, which needs the archive."""

from collections.abc import Sequence
from pathlib import Path

from benchproof.archive import SealedRun, load_run
from benchproof.harness.errors import HarnessError
from benchproof.harness.replay import ReplayModel
from benchproof.models import BatchingMethod, Model, check_model_name, open_model

REPLAY = "replay:"


def open_harness_model(
    spec: str,
    *,
    root: Path | None,
    seed: int = 0,
    threads: int = 1,
    context: int | None = None,
    batching: BatchingMethod | None = None,
    runtime: str | None = None,
    cache_dir: Path,
    search_paths: Sequence[Path] | None = None,
) -> Model:
    """Open the model called ``spec``; ``replay:RUN`` answers from a sealed run of the archive ``root``.

    Raises:
        HandleError: There is no such run.
        ModelError: See ``models.open_model``.
    """
    if spec.startswith(REPLAY):
        return ReplayModel(_find_run(spec, root))
    return open_model(
        spec,
        seed=seed,
        threads=threads,
        context=context,
        batching=batching,
        runtime=runtime,
        cache_dir=cache_dir,
        search_paths=search_paths,
    )


def check_model(spec: str, *, root: Path | None) -> None:
    """Refuse a name that cannot be opened whatever is installed, before anything is asked; loads no weights.

    Raises:
        HandleError: There is no such run to replay.
        UnknownModelError: No model is called so.
    """
    if spec.startswith(REPLAY):
        _find_run(spec, root)
    else:
        check_model_name(spec)


def _find_run(spec: str, root: Path | None) -> SealedRun:
    if root is None:
        raise HarnessError(
            "a replay needs an archive",
            got=spec,
            hint="Name one with --archive, or run inside the archive's folder.",
        )
    return load_run(root, spec.removeprefix(REPLAY))
