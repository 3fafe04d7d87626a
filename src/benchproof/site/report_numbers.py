"""The numbers of a score sheet as table rows: per axis and metric, headline slice first, registers below."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchproof.proof import show_count, show_range
from benchproof.records.score_sheet import SheetNumber
from benchproof.results import count_things, describe_flag, place_slice, show_level, show_value
from benchproof.site.interval_bar import Scale, choose_scale, draw_interval

if TYPE_CHECKING:
    from markupsafe import Markup

HEADLINE = "all"


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One printed number: everything a reader needs to ask *why*."""

    tag: str
    language: str
    slice: str
    headline: bool
    value: str
    interval: str
    bar: "Markup"
    share: str
    excluded: str
    method: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberTable:
    """The numbers of one axis under one metric, on one scale."""

    axis: str
    metric: str
    dataset: str
    chance: str | None
    low: str
    high: str
    rows: tuple[NumberRow, ...]


def explain_flags(numbers: Sequence[SheetNumber]) -> tuple[tuple[str, str], ...]:
    """Each flag that stands at a number, and what it says."""
    names = sorted({flag for number in numbers for flag in number["flags"]})
    return tuple((name, describe_flag(name)) for name in names)


def build_tables(numbers: Sequence[SheetNumber]) -> tuple[NumberTable, ...]:
    """One table an axis and metric, in the sheet's order."""
    groups: dict[tuple[str, str, str], list[SheetNumber]] = {}
    for number in numbers:
        groups.setdefault((number["axis"], number["metric"], number["dataset"]), []).append(number)
    return tuple(_build_table(key, group) for key, group in groups.items())


def _build_table(key: tuple[str, str, str], numbers: list[SheetNumber]) -> NumberTable:
    axis, metric, dataset = key
    scale = choose_scale(numbers)
    unit = numbers[0]["unit"]
    chances = {number["chance"] for number in numbers}
    chance = chances.pop() if len(chances) == 1 else None
    ordered = sorted(numbers, key=lambda number: (number["language"], place_slice(number["slice"])))
    return NumberTable(
        axis=axis,
        metric=metric,
        dataset=dataset,
        chance=None if chance is None else show_value(chance, unit),
        low="0 %" if unit == "fraction" else show_value(scale.low, unit),
        high="100 %" if unit == "fraction" else show_value(scale.high, unit),
        rows=tuple(_build_row(number, scale) for number in ordered),
    )


def _build_row(number: SheetNumber, scale: Scale) -> NumberRow:
    unit = number["unit"]
    value, interval = show_value(number["value"], unit), show_range(number["interval"], unit)
    spoken = f"{value}, {show_level(number['level'])} interval {interval}"
    if number["chance"] is not None:
        spoken += f", chance {show_value(number['chance'], unit)}"
    return NumberRow(
        tag=number["tag"],
        language=number["language"],
        slice=number["slice"],
        headline=number["slice"] == HEADLINE,
        value=value,
        interval=interval,
        bar=draw_interval(number, scale, spoken),
        share=_show_share(number),
        excluded=_show_excluded(number),
        method=_show_method(number),
        flags=tuple(number["flags"]),
    )


def _show_share(number: SheetNumber) -> str:
    if number["numerator"] is None:
        return f"{number['denominator']:,} scored"
    return f"{show_count(number['numerator'])} of {number['denominator']:,}"


def _show_excluded(number: SheetNumber) -> str:
    left_out = [f"{count:,} {reason}" for reason, count in sorted(number["excluded"].items()) if count]
    if not left_out and number["denominator"] == number["planned"]:
        return f"all {number['planned']:,} planned"
    return ", ".join([f"planned {number['planned']:,}", *left_out])


def _show_method(number: SheetNumber) -> str:
    if number["interval"] is None:
        return number["method"]
    return f"{show_level(number['level'])}, {number['method']}, {count_things(number['clusters'], 'cluster')}"
