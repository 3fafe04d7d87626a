"""Names of models that a user types, and the nearest ones to a name that we do not know."""

import difflib
from collections.abc import Iterable


def nearest_names(name: str, known: Iterable[str], *, prefix: str = "", limit: int = 3) -> str:
    """A hint with the nearest known names, best first; with all where none is near. ``prefix`` goes before each."""
    names = sorted(known)
    near = difflib.get_close_matches(name.casefold(), names, n=limit, cutoff=0.5)
    shown = ", ".join(prefix + each for each in near or names)
    return f"Did you mean {shown}?" if near else f"Known: {shown}."
