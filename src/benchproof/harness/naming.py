"""Names of a bench: its own, its axes', its languages' and scripts'. They become file names, so they are portable."""

import re
from pathlib import PurePosixPath

from benchproof.canon import is_portable_id

_LANGUAGE = re.compile(r"[a-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_AXIS = re.compile(r"[a-z0-9]([a-z0-9_-]{0,48}[a-z0-9])?")
_SCRIPT = re.compile(r"[A-Z][a-z]{3}")
DATA_FOLDERS = ("data", "datasets")


def is_bench_name(name: str) -> bool:
    """Whether a bench can be called so: a portable id of at most 40 characters, because run ids begin with it."""
    return is_portable_id(name) and len(name) <= 40


def b007_unusable_name(kind: str, name: str) -> str | None:
    """B007: names are portable; returns what would have been right, ``None`` where the name is.

    An axis has no dot, because ``<axis>.<language>`` names files; a script is four letters (contract-archive §6).
    """
    match kind:
        case "axis" if not (_AXIS.fullmatch(name) and is_portable_id(name)):
            return "up to 50 lower-case letters, digits, - and _, and no name of a device"
        case "language" if not (_LANGUAGE.fullmatch(name) and is_portable_id(name)):
            return "a language code such as en, ms or zh-Hans"
        case "script" if not (_SCRIPT.fullmatch(name) or name == "unknown"):
            return "an ISO 15924 script such as Latn, or unknown"
        case _:
            return None


def b010_path_outside_data(path: str, *, languages: int) -> str | None:
    """B010: a data file lies under ``data/`` or ``datasets/``, which the bench's digest covers, one a language.

    Returns what would have been right, ``None`` where the path is.
    """
    pure = PurePosixPath(path)
    is_plain = "\\" not in path and not pure.is_absolute() and str(pure) == path and ".." not in pure.parts
    if not is_plain or pure.parts[0] not in DATA_FOLDERS or len(pure.parts) < 2:
        return "a normal path under data/, such as data/reading.{language}.jsonl"
    if languages > 1 and "{language}" not in path:
        return "a path with {language}, because the bench has several languages"
    return None
