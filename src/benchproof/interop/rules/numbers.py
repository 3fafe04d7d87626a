"""Numbers and item scores that a log states, compared with what its own evidence gives."""

import math
from collections.abc import Iterator, Sequence

from benchproof.records.imported import ImportedAxis, ImportedMetric
from benchproof.records.score_sheet import SheetNumber
from benchproof.rulebook import Finding, Severity
from benchproof.scores.imported_items import JudgedItem
from benchproof.scores.imported_sheet import is_same

SHOWN_IDS = 50
_COUNTED = ("acc", "choice-accuracy", "exact-match", "exact_match", "greedy-match")
"""Metrics of which every item is right or wrong."""

_ROUNDED = 5e-7
"""Half of the last place of a share that was written with six decimals."""


def i016_impossible_error(place: str, axis: ImportedAxis, number: SheetNumber) -> Iterator[Finding]:
    """A standard error of a mean of n scores in [0, 1] is at most √(p(1−p)/(n−1)); 0/1 scores give exactly that."""
    stated = next((one for one in axis["reported"] if one["place"] == number.get("reported", {}).get("place")), None)
    if stated is None or stated.get("stderr") is None or stated["value"] is None or "trust" in stated:
        return
    error, value, count = float(stated["stderr"] or 0.0), stated["value"], stated.get("n", number["planned"])
    if number["unit"] != "fraction" or count < 2:
        return
    largest = math.sqrt(max(0.0, value * (1.0 - value)) / (count - 1))
    if error > largest * (1.0 + 1e-6) + 1e-12:
        yield Finding(
            place,
            "I016",
            f"{stated['source']}: no {count:,} scores between 0 and 1 have this standard error",
            got=f"{error:.6g}",
            expected=f"at most {largest:.6g} at a mean of {value:.6g}",
            severity=Severity.WARNING,
        )


def i019_rule_not_applied(place: str, metric: ImportedMetric, items: Sequence[JudgedItem]) -> Iterator[Finding]:
    """Items whose evidence does not allow the metric's rule: they are unparsed, not wrong."""
    faulty = [one for one in items if one.fault is not None]
    if faulty:
        yield Finding(
            place,
            "I019",
            f"{metric['source']}: {len(faulty):,} items cannot be judged by {metric['rule']}: {faulty[0].fault}",
            got=_name_items(faulty),
            severity=Severity.WARNING,
        )


def i020_counted_twice(place: str, axis: ImportedAxis, judged: dict[str, list[JudgedItem]]) -> Iterator[Finding]:
    """Two filters of one metric that give every item the same score are one number under two names."""
    filtered = [metric for metric in axis["metrics"] if metric.get("filter")]
    for index, first in enumerate(filtered):
        for second in filtered[index + 1 :]:
            if first["rule"] != second["rule"]:
                continue
            left, right = judged.get(first["metric"], []), judged.get(second["metric"], [])
            if left and [one.score.score for one in left] == [one.score.score for one in right]:
                yield Finding(
                    place,
                    "I020",
                    "two filters give every item the same score: one number under two names",
                    got=f"{first['source']} and {second['source']}",
                    severity=Severity.NOTE,
                )


def i021_number_differs(place: str, number: SheetNumber, *, is_whole: bool = True) -> Iterator[Finding]:
    """A number that the log states is what its own items give, where the log has all of them, and all samples."""
    reported = number.get("reported")
    if reported is None or reported.get("agrees", True) or number["excluded"].get("unasked") or not is_whole:
        return
    yield Finding(
        place,
        "I021",
        f"{number['metric']}: the log states another number than its own items give",
        got=str(reported.get("printed", reported.get("value"))),
        expected=f"{number['value']} over {number['denominator']} items",
        hint=f"See each item: benchproof why {number['tag']}",
    )


def i022_item_scores_differ(place: str, metric: ImportedMetric, items: Sequence[JudgedItem]) -> Iterator[Finding]:
    """An item's score in the log is what the same evidence gives by the harness' own rule."""
    differing = [
        one for one in items
        if one.logged is not None and one.score.score is not None and not is_same(one.score.score, one.logged)
    ]  # fmt: skip
    if differing:
        yield Finding(
            place,
            "I022",
            f"{metric['source']}: {len(differing):,} of {len(items):,} items are scored otherwise by {metric['rule']}",
            got=_name_items(differing),
        )


def i023_numbers_of_no_items(place: str, numbers: Sequence[SheetNumber]) -> Iterator[Finding]:
    """Numbers whose items are not in the log can only be repeated; said once a run."""
    repeated = [f"{number['axis']} {number['metric']}" for number in numbers if "as_reported" in number["flags"]]
    if repeated:
        more = f" and {len(repeated) - 3:,} more" if len(repeated) > 3 else ""
        yield Finding(
            place,
            "I023",
            f"{len(repeated):,} of {len(numbers):,} numbers cannot be computed again, and stay as reported",
            got=", ".join(repeated[:3]) + more,
            severity=Severity.NOTE,
        )


def i041_rate_of_no_count(place: str, axis: ImportedAxis) -> Iterator[Finding]:
    """A share of n items is k/n; where the items are not there, n alone can contradict it (GRIM)."""
    units = {metric["source"]: metric for metric in axis["metrics"]}
    for stated in axis["reported"]:
        value, count = stated["value"], stated.get("n", 0)
        metric = units.get(stated["source"])
        if metric is None or not metric["metric"].startswith(_COUNTED) or value is None or not 0 < count < 1_000_000:
            continue
        hits = value * count
        if abs(hits - round(hits)) > _ROUNDED * count:
            low, high = math.floor(hits), math.ceil(hits)
            yield Finding(
                place,
                "I041",
                f"{stated['source']}: no number of {count:,} items gives this share",
                got=f"{value:.8g}",
                expected=f"{low / count:.8g} ({low:,}) or {high / count:.8g} ({high:,})",
                severity=Severity.WARNING,
            )


def _name_items(items: Sequence[JudgedItem]) -> str:
    shown = [
        f"{one.score.item_id} ({_show(one.logged)} in the log, {_show(one.score.score)} here)"
        for one in items[:SHOWN_IDS]
    ]
    more = len(items) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _show(value: float | None) -> str:
    return "no score" if value is None else f"{value:g}"
