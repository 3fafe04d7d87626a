"""Names for what a log brings: portable, the same for the same bytes, never two for one."""

import re
from collections.abc import Sequence
from urllib.parse import quote

from benchproof.canon import casefold_clashes, check_id, check_relative_path, digest
from benchproof.records.run import FileEntry

_NOT_PORTABLE = re.compile(r"[^A-Za-z0-9_-]+")
_MODEL_LENGTH = 34
_AXIS_LENGTH = 80


def name_kept_files(names: Sequence[str]) -> dict[str, str]:
    """Found name → portable name below ``raw/``: as it is where that is portable, else its bytes in ``=XX``."""
    kept: dict[str, str] = {}
    for name in names:
        parts = [_quote(part) for part in name.split("/") if part not in ("", ".", "..")]
        kept[name] = "/".join(parts)
    folded: dict[str, int] = {}
    for name in sorted(kept):
        fold = kept[name].casefold()
        folded[fold] = folded.get(fold, 0) + 1
        if folded[fold] > 1:
            head, _, tail = kept[name].rpartition("/")
            kept[name] = f"{head}/{folded[fold]}-{tail}".removeprefix("/")
    for path in kept.values():
        check_relative_path(path)
    return kept


def name_imported_run(harness: str, model: str, files: Sequence[FileEntry]) -> str:
    """``<harness>.<model>.<12 digits of the digest of the files' digests>``: the same log has the same id."""
    content = digest(sorted(entry["sha256"] for entry in files))
    run_id = f"{harness}.{shorten(model)}.{content[:12]}"
    check_id(run_id)
    return run_id


def shorten(model: str) -> str:
    """The last part of a model's name, portable."""
    name = model.rstrip("/").rsplit("/", 1)[-1]
    return _NOT_PORTABLE.sub("-", name).strip("-_")[:_MODEL_LENGTH].rstrip("-_") or "model"


def name_axes(tasks: Sequence[str]) -> dict[str, str]:
    """Task → axis: portable, distinct also where letter case is ignored."""
    named = {task: _NOT_PORTABLE.sub("-", task).strip("-_")[:_AXIS_LENGTH].rstrip("-_") or "task" for task in tasks}
    while clashes := casefold_clashes(list(named.values())):
        clashing = {name.casefold() for pair in clashes for name in pair}
        for task in sorted(named):
            if named[task].casefold() in clashing:
                named[task] = f"{named[task]}-{digest(task)[:6]}"
    return named


def _quote(part: str) -> str:
    quoted = quote(part, safe="._-+@").replace("~", "=7E").replace("%", "=")
    quoted = quoted if re.match(r"[A-Za-z0-9_]", quoted) else f"_{quoted}"
    if quoted.endswith("."):
        quoted = f"{quoted[:-1]}=2E"
    try:
        check_relative_path(quoted)
    except Exception:
        return f"_{digest(part)[:16]}"
    return quoted
