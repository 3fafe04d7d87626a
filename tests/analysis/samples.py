"""Scored runs for the tests of contrasts: outcomes written as strings, ``1`` right, ``0`` wrong, ``x`` not scored."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchproof.analysis.contrast_parts import ScoredAxis, ScoredRun, Side
from benchproof.analysis.pairing import ScoredItem
from benchproof.results import Standing, find_standing
from results.samples import make_axis_of_run, make_manifest, make_setting


def make_items(outcomes: str, *, cluster_size: int = 1, content: str = "same") -> list[ScoredItem]:
    """Items ``en/q01``… in passages of ``cluster_size``."""
    return [
        ScoredItem(
            item_id=f"en/q{number:02}",
            score=None if outcome == "x" else float(outcome),
            content=content,
            cluster=f"passage:{number // cluster_size:02}",
        )
        for number, outcome in enumerate(outcomes)
    ]


def make_standing(**changes: Any) -> Standing:
    """The standing of the reading axis in English with some setting keys changed."""
    return find_standing(make_manifest(), make_axis_of_run(setting=make_setting(**changes)))


def make_scored_axis(
    outcomes: str | list[ScoredItem],
    *,
    tag: str = "zicy3hzb3wmv",
    setting: Mapping[str, Any] | None = None,
    standing: Mapping[str, Any] | None = None,
    cluster_size: int = 1,
) -> ScoredAxis:
    """The reading axis with these outcomes."""
    items = make_items(outcomes, cluster_size=cluster_size) if isinstance(outcomes, str) else outcomes
    stands = replace(make_standing(**(setting or {})), **(standing or {}))
    return ScoredAxis(standing=stands, axis="reading", unit="fraction", tag=tag, items=items)


def make_scored_run(name: str, **axes: ScoredAxis) -> ScoredRun:
    """A run called ``name`` with axes by key, written ``axis__language``."""
    side = Side(
        run=f"starter.{name}.20261130T212541Z.7f3a",
        sha256=(name * 64)[:64],
        model=name,
        model_id=name,
        synthetic=name.startswith("control"),
        sealed_at="2026-11-30T21:28:05Z",
    )
    return ScoredRun(side, dict(_name_axis(key, axis) for key, axis in axes.items()))


def _name_axis(key: str, axis: ScoredAxis) -> tuple[str, ScoredAxis]:
    name, language = key.split("__")
    standing = replace(axis.standing, language=language)
    return f"{name}.{language}", replace(axis, axis=name, standing=standing)


def make_pair(outcomes_a: str, outcomes_b: str, **options: Any) -> tuple[ScoredRun, ScoredRun]:
    """Two runs, ``alpha`` and ``beta``, of the reading axis."""
    return (
        make_scored_run("alpha", reading__en=make_scored_axis(outcomes_a, **options)),
        make_scored_run("beta", reading__en=make_scored_axis(outcomes_b, tag="q3ma77ckd2ve", **options)),
    )
