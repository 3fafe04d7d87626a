"""Open a model by the name that a user types: what ``models`` knows, and ``replay:RUN``, which needs the archive."""

from collections.abc import Sequence
from pathlib import Path

from benchproof.archive import load_run
from benchproof.harness.errors import HarnessError
from benchproof.harness.replay import ReplayModel
from benchproof.models import Model, open_model

REPLAY = "replay:"


def open_harness_model(
    spec: str,
    *,
    root: Path | None,
    seed: int = 0,
    threads: int = 1,
    context: int | None = None,
    cache_dir: Path,
    search_paths: Sequence[Path] | None = None,
) -> Model:
    """Open the model called ``spec``; ``replay:RUN`` answers from a sealed run of the archive ``root``.

    Raises:
        HandleError: There is no such run.
        ModelError: See ``models.open_model``.
    """
    if spec.startswith(REPLAY):
        if root is None:
            raise HarnessError(
                "a replay needs an archive",
                got=spec,
                hint="Name one with --archive, or run inside the archive's folder.",
            )
        return ReplayModel(load_run(root, spec.removeprefix(REPLAY)))
    return open_model(spec, seed=seed, threads=threads, context=context, cache_dir=cache_dir, search_paths=search_paths)
