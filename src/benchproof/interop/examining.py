"""What is wrong with an imported run, or to be known of it: found on reading, in its settings, and in its numbers.

Every number that the log states and that can be computed again is compared, and every item's score; each disagreement
names its items (contract-proof, import).
"""

from collections.abc import Iterable, Iterator

from benchproof.archive import SealedRun, axis_path
from benchproof.interop.rereading import reread_run
from benchproof.interop.rules.numbers import (
    i016_impossible_error,
    i019_rule_not_applied,
    i020_counted_twice,
    i021_number_differs,
    i022_item_scores_differ,
    i023_numbers_of_no_items,
    i041_rate_of_no_count,
)
from benchproof.interop.rules.settings import i006_limited, i007_fewer_items, i018_setting_unknown
from benchproof.interop.shapes import each_in_shape
from benchproof.records.imported import ImportedAxis
from benchproof.records.score_sheet import SheetNumber
from benchproof.rulebook import Finding
from benchproof.scores import compute_score_sheet
from benchproof.scores.imported_items import JudgedItem, judge_imported_axis


def examine_run(run: SealedRun, *, read: Iterable[Finding] | None = None) -> list[Finding]:
    """Every finding about an imported run, sorted.

    ``read``: what its reader found; without it the kept bytes are read again.
    """
    if read is None:
        foreign = reread_run(run)
        for axis in foreign.axes:
            for _ in each_in_shape(axis.records(), axis.axis["task"]):
                pass
        read = foreign.findings
    findings = list(read)
    numbers = compute_score_sheet(run)["numbers"]
    findings += i018_setting_unknown(run.id, run.manifest)
    findings += i023_numbers_of_no_items(run.id, numbers)
    for axis_key in run.axis_keys:
        findings += _examine_axis(run, axis_key, [one for one in numbers if _key_of(one) == axis_key])
    return sorted(set(findings))


def _key_of(number: SheetNumber) -> str:
    return f"{number['axis']}.{number['language']}"


def _examine_axis(run: SealedRun, axis_key: str, numbers: list[SheetNumber]) -> Iterator[Finding]:
    axis = run.imported_axis(axis_key)
    stated = run.axis_of_run(axis_key)
    place = f"{run.id}/{axis_path(axis_key)}"
    yield from i006_limited(place, stated)
    yield from i007_fewer_items(place, stated)
    yield from i041_rate_of_no_count(place, axis)
    judged = judge_imported_axis(run, axis_key)
    for number in numbers:
        items = judged.get(number["metric"], [])
        is_whole = sum(one.samples for one in items) >= len(items) * axis["samples_each"]
        yield from i021_number_differs(place, number, is_whole=is_whole)
        yield from i016_impossible_error(place, axis, number)
    yield from _examine_items(place, axis, judged)
    yield from i020_counted_twice(place, axis, judged)


def _examine_items(place: str, axis: ImportedAxis, judged: dict[str, list[JudgedItem]]) -> Iterator[Finding]:
    for metric in axis["metrics"]:
        items = judged.get(metric["metric"], [])
        yield from i022_item_scores_differ(place, metric, items)
        yield from i019_rule_not_applied(place, metric, items)
