"""A contrast of two versions of a bench as text and as plain data."""

from dataclasses import asdict
from typing import Any

from benchproof.analysis.contrast_text import say_what_differs
from benchproof.analysis.version_contrast import Moved, VersionContrast
from benchproof.results import NOTHING, draw_grid, show_level, show_signed_points, show_value, wrap_text

_HEADS = ("model", "axis", "first", "second", "moved", "", "scored", "tags")
_FIGURES = range(2, 7)


def render_versions(contrast: VersionContrast, *, width: int | None = None) -> str:
    """As text: what differs besides the version, the runs, a line a number."""
    named = [(f"{one.model} {one.axis}", one.differences) for one in contrast.moved]
    headline = say_what_differs(named, is_same_model=True).replace("nothing differs", "only the version differs")
    levels = sorted({one.level for one in contrast.moved})
    heads = [head or " / ".join(map(show_level, levels)) for head in _HEADS]
    notes = [
        f"first: {contrast.versions[0]}, second: {contrast.versions[1]}, language {contrast.language};"
        " moved: second − first, not paired, since the items differ.",
        "intervals: square-and-add of the two intervals of each number.",
        *([f"In one version alone: {', '.join(contrast.alone)}."] if contrast.alone else []),
    ]
    lines = [
        *wrap_text(headline, width, at_entries=True),
        *draw_grid([("model", "run on first", "run on second"), *contrast.runs], width=width),
        "",
        *draw_grid([heads, *map(_list_cells, contrast.moved)], figures=_FIGURES, width=width),
        *(line for note in notes for line in wrap_text(note, width)),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def describe_versions(contrast: VersionContrast) -> dict[str, Any]:
    """The whole contrast as plain data; figures are not rounded."""
    return {"schema_version": 1, "kind": "version-contrast", **asdict(contrast)}


def _list_cells(moved: Moved) -> list[str]:
    def show(change: float) -> str:
        return show_signed_points(change) if moved.unit == "fraction" else f"{change:+.4g}"

    ends = "no interval" if moved.interval is None else " to ".join(map(show, moved.interval))
    return [
        moved.model,
        moved.axis,
        show_value(moved.first, moved.unit),
        show_value(moved.second, moved.unit),
        NOTHING if moved.difference is None else show(moved.difference),
        ends,
        f"{moved.scored[0]}, {moved.scored[1]}",
        " ".join(moved.tags),
    ]
