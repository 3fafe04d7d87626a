"""From item scores to one number of a sheet: value, denominator, interval, chance, flags.

Every planned item is counted once: denominator + all of ``excluded`` = planned. What is missing is excluded and never
a zero; where something is missing for want of an answer, ``also`` gives the values with the missing all 0 and all 1
(contract-statistics, Aggregation). Floats are rounded to 12 significant digits; a numerator is exact.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Literal

from benchproof.measure import Interval, chance_of, mean_interval, s006_near_chance, score_interval
from benchproof.records.score_sheet import SheetNumber
from benchproof.scores.score_columns import ItemScore, ScoreColumns, ScoreFacts
from benchproof.scores.tags import number_tag

EXCLUDED = ("unparsed", "errored", "truncated", "excluded")
"""Reasons that a number always states, also when none is met; ``unasked`` and ``unscored`` only when they are."""

_LOST = ("unparsed", "errored", "truncated", "unasked")


@dataclass(frozen=True, slots=True)
class NumberKey:
    """What a number is of; ``scorer`` is a slug."""

    run_sha256: str
    axis: str
    dataset: str
    language: str
    slice: str
    metric: str
    scorer: str
    unit: Literal["fraction", "score"] = "fraction"


def build_number(key: NumberKey, items: Sequence[ItemScore], *, level: float = 0.95, unasked: int = 0) -> SheetNumber:
    """One number of the ``items`` of a slice, all planned ones, whatever became of them.

    ``unasked`` counts planned items that are not among them because nothing is known of them but their number.
    """
    columns = items if isinstance(items, ScoreColumns) else ScoreColumns.gather(items)
    scored, facts = columns.find_scored(), columns.count_facts()
    scores = columns.scores_of(scored)
    average = mean_interval if key.unit == "fraction" else score_interval
    interval = average(scores, columns.clusters_of(scored), level)
    total = math.fsum(scores)
    mean = total / len(scores) if scores else None
    of_scored = Counter({each: count for each, count in facts.items() if each.outcome == "scored"})
    chance = _chance(of_scored) if key.unit == "fraction" else None
    counts = Counter[str]()
    for each, count in facts.items():
        counts[each.outcome] += count
    if unasked:
        counts["unasked"] += unasked
    planned = len(items) + unasked
    number: SheetNumber = {
        "tag": number_tag(
            key.run_sha256,
            axis=key.axis,
            dataset=key.dataset,
            language=key.language,
            slice=key.slice,
            metric=key.metric,
            scorer=key.scorer,
        ),
        "axis": key.axis,
        "dataset": key.dataset,
        "language": key.language,
        "slice": key.slice,
        "metric": key.metric,
        "unit": key.unit,
        "value": None if mean is None else round_digits(mean),
        "numerator": (int(total) if total.is_integer() else total) if scores else None,
        "denominator": len(scored),
        "planned": planned,
        "excluded": _count_excluded(counts),
        "interval": None if interval.bounds is None else [round_digits(bound) for bound in interval.bounds],
        "level": level,
        "method": _name_method(interval, counts, key),
        "clusters": interval.clusters,
        "chance": None if chance is None else round_digits(chance),
        "null_rate": round_digits((planned - len(scored)) / planned) if planned else 0.0,
        "flags": _list_flags(interval, counts, mean, chance),
    }
    if scored:
        _add_operational(number, columns.facts_of(scored[0]), of_scored)
    also = [_round_method(other) for other in interval.also] + _bound_missing(total, len(scored), counts)
    if also:
        number["also"] = also
    return number


def round_digits(value: float) -> float:
    """``value`` to 12 significant digits: only so are the bytes the same on every machine."""
    return float(f"{value:.12g}")


def _count_excluded(counts: Counter[Any]) -> dict[str, int]:
    met = [outcome for outcome in sorted(counts) if outcome not in ("scored", *EXCLUDED)]
    return {reason: counts[reason] for reason in (*EXCLUDED, *met)}


def _chance(scored: Counter[ScoreFacts]) -> float | None:
    """What guessing gives on the scored items; ``None`` where there is nothing to choose from."""
    ks = [repeat(each.choices, count) for each, count in scored.items() if each.choices is not None]
    return chance_of(chain.from_iterable(ks)) if ks and len(ks) == len(scored) else None


def _name_method(interval: Interval, counts: Counter[Any], key: NumberKey) -> str:
    if counts["unscored"]:
        return f"not recomputed, needs the scorer {key.scorer}"
    return interval.method


def _list_flags(interval: Interval, counts: Counter[Any], mean: float | None, chance: float | None) -> list[str]:
    flags = set(interval.flags)
    if mean is not None and chance is not None and s006_near_chance(mean, chance):
        flags.add("near_chance")
    if counts["unasked"]:
        flags.add("partial")
    if counts["unscored"]:
        flags = {"not_recomputed"}
    return sorted(flags)


def _add_operational(number: SheetNumber, first: ScoreFacts, scored: Counter[ScoreFacts]) -> None:
    """Ties of a choice axis; capped and empty answers of a generated one: ``first`` tells which it is."""
    if first.choices is not None:
        number["ties"] = sum(count for each, count in scored.items() if each.tie)
        return
    capped = sum(count for each, count in scored.items() if each.capped)
    number["capped"] = capped
    number["empty"] = sum(count for each, count in scored.items() if each.empty)
    number["truncation_rate"] = round_digits(capped / scored.total())


def _round_method(other: dict[str, Any]) -> dict[str, Any]:
    return {"method": other["method"], "interval": [round_digits(bound) for bound in other["interval"]]}


def _bound_missing(total: float, scored: int, counts: Counter[Any]) -> list[dict[str, Any]]:
    lost = sum(counts[outcome] for outcome in _LOST)
    if not lost or not scored:
        return []
    bounds = [round_digits(total / (scored + lost)), round_digits((total + lost) / (scored + lost))]
    return [{"method": f"value if the {lost} missing were all 0, all 1", "interval": bounds}]
