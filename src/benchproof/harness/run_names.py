"""Run ids: ``<bench>.<model>.<UTC yyyymmddThhmmssZ>.<4 hex>``, portable and free of collisions."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from benchproof.canon import check_id

MODEL_LENGTH = 34
_NOT_PORTABLE = re.compile(r"[^A-Za-z0-9_-]+")


def name_run(bench: str, model: str, now: datetime, draw_token: Callable[[], str]) -> str:
    """A new run id; ``draw_token`` gives four hex digits. Raises ``NameRefusedError`` where it is not portable."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    run_id = f"{bench}.{model}.{stamp}.{draw_token()}"
    check_id(run_id)
    return run_id


def shorten_model_name(spec: str) -> str:
    """The name of a model as a run id has it: ``control:random`` → ``control-random``, a path → its file's stem."""
    backend, _, rest = spec.partition(":")
    name = rest if backend == "gguf" and rest else spec
    if "/" in name or name.casefold().endswith(".gguf"):
        name = name.rstrip("/").rsplit("/", 1)[-1]
        name = name[: -len(".gguf")] if name.casefold().endswith(".gguf") else name
    portable = _NOT_PORTABLE.sub("-", name).strip("-_")[:MODEL_LENGTH].rstrip("-_")
    return portable or "model"
