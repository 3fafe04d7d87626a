"""Names that are safe on every file system, in every shell and in every pattern: ids and relative paths.

ASCII only, so that no two systems normalise them differently; no pattern characters, so that a name in an allow list
means itself. The home of rules A001 and A002.
"""

import re
from collections.abc import Iterable
from typing import Final

from benchproof.canon.errors import NameRefusedError
from benchproof.canon.pointers import excerpt
from benchproof.canon.refusals import Refusal

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_COMPONENT: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+=@-]{0,199}")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.IGNORECASE)
_FLOATING: Final = frozenset({"main", "master", "head", "latest"})
_MAX_PATH: Final = 1000


def is_portable_id(name: object) -> bool:
    """Whether ``check_id`` would let this pass."""
    return a001_find_id_fault(name) is None


def check_id(name: object) -> None:
    """Refuse an id that is not a portable name of a folder (A001).

    Raises:
        NameRefusedError: With the part of the rule that is broken.
    """
    fault = a001_find_id_fault(name)
    if fault is not None:
        refusal = Refusal(
            "A001",
            f"an id is not portable: {fault}",
            got=_show(name),
            expected="1 to 100 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, not ending in a dot",
            hint="Choose another id.",
        )
        raise NameRefusedError(refusal, name=_show(name))


def check_relative_path(path: object) -> None:
    """Refuse a path in a manifest that is not relative, normalised and portable (A002).

    Raises:
        NameRefusedError: With the part of the rule that is broken.
    """
    fault = a002_find_path_fault(path)
    if fault is not None:
        refusal = Refusal(
            "A002",
            f"a path is not relative and portable: {fault}",
            got=_show(path),
            expected="names joined by /, without . and .., of A-Z a-z 0-9 . _ + = @ -",
            hint="Rename the file.",
        )
        raise NameRefusedError(refusal, name=_show(path))


def a001_find_id_fault(name: object) -> str | None:
    """Say which part of the rule for ids is broken, if any."""
    if not isinstance(name, str) or not _ID.fullmatch(name):
        return "a character or the length is not allowed"
    if name.endswith("."):
        return "it ends in a dot, which Windows drops"
    if _DEVICE.fullmatch(name):
        return "it is the name of a Windows device"
    if name.lower() in _FLOATING:
        return "it is the name of a moving revision"
    return None


def a002_find_path_fault(path: object) -> str | None:
    """Say which part of the rule for relative paths is broken, if any."""
    if not isinstance(path, str) or not path:
        return "it is empty"
    if len(path) > _MAX_PATH:
        return f"it is longer than {_MAX_PATH} characters"
    if path.startswith("/"):
        return "it is absolute"
    for component in path.split("/"):
        if component in ("", ".", ".."):
            return "it is not normalised"
        if not _COMPONENT.fullmatch(component):
            return "a character or the length of a name is not allowed"
        if component.endswith("."):
            return "a name ends in a dot, which Windows drops"
        if _DEVICE.fullmatch(component):
            return "a name is that of a Windows device"
    return None


def casefold_clashes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of names that are one where letter case is ignored, or that stand twice; sorted, first with each other."""
    first_by_fold: dict[str, str] = {}
    clashes: list[tuple[str, str]] = []
    for name in sorted(names):
        fold = name.casefold()
        if fold in first_by_fold:
            clashes.append((first_by_fold[fold], name))
        else:
            first_by_fold[fold] = name
    return clashes


def _show(name: object) -> str:
    return excerpt(name) if isinstance(name, str) else type(name).__qualname__
