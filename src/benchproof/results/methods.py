"""How the intervals of many numbers were found, in one clause: whole, or by the families of methods."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from benchproof.results.figures import NOTHING, count_things, show_level
from benchproof.results.rows import Row

_NUMBER = re.compile(r"(?<![A-Za-z0-9.])[0-9]+(?:\.[0-9]+)?")


def write_intervals(rows: Sequence[Row]) -> str:
    """Level, method and clusters; figures that vary from number to number are given as ranges."""
    found = _group_by_method(rows)
    methods = []
    told: float | None = None
    for (level, _, noun), members in sorted(found.items()):
        share = f" ({count_things(len(members), 'number')})" if len(found) > 1 else ""
        head = "" if level == told else f"{show_level(level)}, "
        told = level
        methods.append(f"{head}{_write_method(members)}, {_count_clusters(members, noun)}{share}")
    return "intervals: " + "; ".join(methods) if methods else ""


def write_families(rows: Sequence[Row]) -> str:
    """As ``write_intervals`` where that names one method; else the methods' first names, such as CR2 and Wilson."""
    having = [row for row in rows if row.interval is not None]
    if len(_group_by_method(having)) < 2 or len({row.level for row in having}) > 1:
        return write_intervals(rows)
    families = Counter(row.method.partition(",")[0] for row in having)
    if len(families) == 1:
        named = next(iter(families))
    else:
        named = ", ".join(f"{family} ({count_things(count, 'number')})" for family, count in sorted(families.items()))
    noun = "item" if {_find_noun(row) for row in having} == {"item"} else "cluster"
    return f"intervals: {show_level(having[0].level)}, {named}, {_count_clusters(having, noun)}"


def _group_by_method(rows: Iterable[Row]) -> dict[tuple[float, str, str], list[Row]]:
    """Numbers by level, method but for its figures, and what a cluster is."""
    found: dict[tuple[float, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row.interval is not None:
            found[row.level, _NUMBER.sub("#", row.method), _find_noun(row)].append(row)
    return found


def _find_noun(row: Row) -> str:
    return "item" if row.clusters == row.denominator else "cluster"


def _count_clusters(rows: Sequence[Row], noun: str) -> str:
    clusters = [row.clusters for row in rows]
    return f"{_write_range(clusters)} {noun if set(clusters) == {1} else noun + 's'}"


def _write_method(rows: Sequence[Row]) -> str:
    """A method that all rows share but for its figures."""
    columns = zip(*(map(float, _NUMBER.findall(row.method)) for row in rows), strict=True)
    ranges = iter([_write_range(column) for column in columns])
    return _NUMBER.sub(lambda _: next(ranges), rows[0].method).replace(", t(", " t(")


def _write_range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.4g}", f"{max(values):.4g}"
    return low if low == high else f"{low}{NOTHING}{high}"
