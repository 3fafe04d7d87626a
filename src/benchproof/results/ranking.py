"""Ranks: places among like numbers, ties shared.

Laws: a rank is given inside one column of one block and nowhere else; an unknown hard key, a metric without a
direction, a number that is not scored and one that lacks items get none: what is missing could move it either way.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from benchproof.results.catalogue import Direction
from benchproof.results.comparability import group_of
from benchproof.results.rows import Row
from benchproof.results.table_parts import Rank


def rank_column(rows: Sequence[Row], direction: Direction) -> dict[str, Rank]:
    """Run → rank for numbers of one comparable group; equal values share the best place."""
    if direction == "unknown":
        return {}
    scored = [row for row in rows if row.value is not None and row.is_complete and not group_of(row).unknown]
    scored.sort(key=find_exact_value, reverse=direction == "higher")
    ranks: dict[str, Rank] = {}
    for _, tied in groupby(scored, key=find_exact_value):
        members = list(tied)
        place = len(ranks) + 1
        ranks.update({row.source: Rank(place, shared=len(members) > 1) for row in members})
    return ranks


def find_exact_value(row: Row) -> Fraction:
    """The value before rounding, where it is a fraction whose numerator is known."""
    if row.unit == "fraction" and row.numerator is not None and row.denominator:
        return Fraction(row.numerator) / row.denominator
    return Fraction(row.value or 0)
