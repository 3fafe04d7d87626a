"""Numbers of an imported axis: computed again where the log carries what they stand on, else averaged or repeated.

Each number says which it is (flags ``as_scored`` and ``as_reported``), what the log itself states, and its value over
every denominator that a reader may mean (contract-proof, import).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from benchproof.records.imported import ImportedAxis, ImportedMetric, ReportedNumber
from benchproof.records.score_sheet import Scorer, SheetNumber
from benchproof.scores.imported_items import ImportedEvidence, score_imported_axis
from benchproof.scores.imported_rules import AS_REPORTED, AS_SCORED, IMPORTED_RULES
from benchproof.scores.numbers import NumberKey, build_number, round_digits
from benchproof.scores.score_columns import ItemScore
from benchproof.scores.scorers import digest_sources

REPORTED_TOLERANCE = 1e-6
"""Relative; a log prints sums of many floats, in an order of its own."""

IMPORT = "import."
"""What a sheet puts before the slug of a rule."""

_SOURCES = (
    "measure/inspect_stats.py",
    "scores/imported_items.py",
    "scores/imported_rules.py",
    "scores/imported_sheet.py",
)


def describe_imported_rules(axis: ImportedAxis) -> list[Scorer]:
    """The rules of an axis as a sheet names its scorers."""
    rules = {metric["rule"] for metric in axis["metrics"]} & IMPORTED_RULES.keys()
    return [
        {
            "slug": f"{IMPORT}{slug}",
            "version": IMPORTED_RULES[slug].version,
            "digest": digest_sources(list_rule_sources(slug)),
        }
        for slug in sorted(rules)
    ]


def list_rule_sources(slug: str) -> tuple[str, ...]:
    """The source files of a rule beside the shared ones."""
    return (*IMPORTED_RULES[slug].sources, *_SOURCES)


def build_imported_numbers(
    run: ImportedEvidence, run_sha256: str, axis_key: str, *, level: float = 0.95
) -> Iterator[SheetNumber]:
    """A number for every metric of an imported axis."""
    axis = run.imported_axis(axis_key)
    scores = score_imported_axis(run, axis_key)
    reported = {number["source"]: number for number in axis["reported"]}
    for metric in axis["metrics"]:
        stated = reported.get(metric["source"])
        items = scores.get(metric["metric"], [])
        key = NumberKey(
            run_sha256=run_sha256,
            axis=axis["axis"],
            dataset=axis["dataset"]["slug"],
            language=axis["language"],
            slice="all",
            metric=metric["metric"],
            scorer=metric["rule"],
            unit=find_unit(metric, items, stated),
        )
        if metric["rule"] == AS_REPORTED:
            yield _repeat_number(key, axis, stated, level)
            continue
        unasked = max(0, axis["planned"] - len(items))
        number = build_number(key, items, level=level, unasked=unasked)
        _complete(number, metric, stated, unasked)
        yield number


def find_unit(metric: ImportedMetric, items: Iterable[ItemScore], stated: ReportedNumber | None) -> Any:
    """``fraction`` only where the metric is one and every value lies in [0, 1]."""
    values = [item.score for item in items if item.score is not None]
    if stated is not None and stated["value"] is not None:
        values.append(stated["value"])
    is_fraction = metric["unit"] == "fraction" and all(0.0 <= value <= 1.0 for value in values)
    return "fraction" if is_fraction else "score"


def is_same(value: float | None, stated: float | None) -> bool:
    """Whether a number that a log states is ours, but for the order in which floats were added."""
    if value is None or stated is None:
        return value is stated
    return math.isclose(value, stated, rel_tol=REPORTED_TOLERANCE, abs_tol=1e-9)


def _complete(number: SheetNumber, metric: ImportedMetric, stated: ReportedNumber | None, unasked: int) -> None:
    if metric["rule"] == AS_SCORED:
        number["flags"] = sorted({*number["flags"], "as_scored"})
    denominators = _list_denominators(number, unasked)
    if len(denominators) > 1:
        number["denominators"] = denominators
    if stated is not None:
        number["reported"] = {**_state(stated), "agrees": is_same(number["value"], stated["value"])}
        if not number["reported"]["agrees"]:
            number["flags"] = sorted({*number["flags"], "differs_from_log"})


def _list_denominators(number: SheetNumber, unasked: int) -> list[dict[str, Any]]:
    """Over the scored items; with errored and truncated ones as 0; with every recorded and every planned one as 0."""
    total, scored = number["numerator"], number["denominator"]
    if total is None or not scored:
        return []
    failed = number["excluded"]["errored"] + number["excluded"]["truncated"]
    counts = {
        "scored": scored,
        "scored and failed": scored + failed,
        "recorded": number["planned"] - unasked,
        "planned": number["planned"],
    }
    listed: list[dict[str, Any]] = []
    for over, count in counts.items():
        if all(count != one["n"] for one in listed):
            listed.append({"over": over, "n": count, "value": round_digits(total / count)})
    return listed


def _repeat_number(key: NumberKey, axis: ImportedAxis, stated: ReportedNumber | None, level: float) -> SheetNumber:
    """The log's own number, of which nothing here can be computed again."""
    number = build_number(key, [], level=level, unasked=axis["planned"])
    number["value"] = None if stated is None or stated["value"] is None else round_digits(stated["value"])
    number["method"] = "as the log reports it: it has no items to compute it from"
    number["flags"] = ["as_reported"]
    if stated is not None:
        number["reported"] = _state(stated)
    return number


def _state(stated: ReportedNumber) -> dict[str, Any]:
    kept = ("value", "printed", "stderr", "n", "place", "trust")
    return {name: stated[name] for name in kept if name in stated}  # type: ignore[literal-required]


def list_metrics(axis: ImportedAxis) -> Sequence[str]:
    """The metrics of an imported axis, in the order of its log."""
    return [metric["metric"] for metric in axis["metrics"]]
