"""The score sheet of a run, and what moved between two sheets (contract-archive §8)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from benchproof.archive import is_imported
from benchproof.records.bench import ResolvedAxis
from benchproof.records.score_sheet import Scorer, ScoreSheet, SheetNumber
from benchproof.scores.evidence import Evidence
from benchproof.scores.imported_sheet import build_imported_numbers, describe_imported_rules
from benchproof.scores.item_scores import find_axis_scorer, score_axis
from benchproof.scores.numbers import NumberKey, build_number
from benchproof.scores.score_columns import ScoreColumns, ScoreFacts
from benchproof.scores.scorers import describe_scorer
from benchproof.scores.tags import index_numbers

if TYPE_CHECKING:
    from benchproof.scores.imported_items import ImportedEvidence

WHOLE = "all"


@dataclass(frozen=True, slots=True)
class MovedNumber:
    """A number that differs between two sheets; ``None`` where a sheet does not have it.

    ``keys`` are the names of the fields that differ.
    """

    tag: str
    before: SheetNumber | None
    after: SheetNumber | None
    keys: tuple[str, ...]


def compute_score_sheet(run: Evidence, *, level: float = 0.95) -> ScoreSheet:
    """All numbers of a run: each axis, language and slice under the axis' metric, by the scorers at hand.

    Pure: same evidence and scorers, same sheet. A number whose scorer is not at hand is listed, without a value. One
    pass over items and records; the scores of one axis are held at a time.
    """
    numbers: list[SheetNumber] = []
    scorers: dict[str, Scorer] = {}
    imported = cast("ImportedEvidence", run)  # has what is asked of it where an axis is imported
    for axis_key in run.axis_keys:
        if is_imported(run.axis_of_run(axis_key)):
            numbers += build_imported_numbers(imported, run.sha256, axis_key, level=level)
            scorers |= {scorer["slug"]: scorer for scorer in describe_imported_rules(imported.imported_axis(axis_key))}
    asked = [axis_key for axis_key in run.axis_keys if not is_imported(run.axis_of_run(axis_key))]
    for axis in sorted({run.axis_of_run(axis_key)["axis"] for axis_key in asked}):
        for axis_key, items in score_axis(run, axis).items():
            resolved = run.axis(axis_key)
            scorer = find_axis_scorer(resolved)
            if scorer is not None:
                scorers[scorer.slug] = describe_scorer(scorer)
            for name, members in _cut_slices(items):
                numbers.append(build_number(_key_number(run.sha256, resolved, name), members, level=level))
    numbers.sort(key=_place)
    return {
        "schema_version": 1,
        "kind": "score-sheet",
        "of": {"id": run.id, "sha256": run.sha256},
        "judgings": [],
        "scorers": [scorers[slug] for slug in sorted(scorers)],
        "numbers": numbers,
    }


def build_whole_number(run_sha256: str, axis: ResolvedAxis, items: ScoreColumns, *, level: float = 0.95) -> SheetNumber:
    """The number of all items of an axis and language, as it would stand in the sheet of a run."""
    return build_number(_key_number(run_sha256, axis, WHOLE), items, level=level)


def compare_sheets(before: ScoreSheet, after: ScoreSheet) -> list[MovedNumber]:
    """The numbers that moved from one sheet of a run to another, by tag; also those that only one of them has."""
    old, new = index_numbers(before["numbers"]), index_numbers(after["numbers"])
    moved = []
    for tag in sorted(old.keys() | new.keys()):
        one, other = old.get(tag), new.get(tag)
        keys = _list_differences(one, other)
        if keys:
            moved.append(MovedNumber(tag, one, other, keys))
    return moved


def is_current(sheet: ScoreSheet, run: Evidence) -> bool:
    """Whether a stored sheet is of this very run and by the scorers at hand, so that recomputing gives the same."""
    if sheet["of"].get("sha256") != run.sha256:
        return False
    at_hand: dict[str, Scorer] = {}
    imported = cast("ImportedEvidence", run)
    for axis_key in run.axis_keys:
        if is_imported(run.axis_of_run(axis_key)):
            at_hand |= {scorer["slug"]: scorer for scorer in describe_imported_rules(imported.imported_axis(axis_key))}
        elif (scorer := find_axis_scorer(run.axis(axis_key))) is not None:
            at_hand[scorer.slug] = describe_scorer(scorer)
    return sheet["scorers"] == [at_hand[slug] for slug in sorted(at_hand)]


def _key_number(run_sha256: str, axis: ResolvedAxis, slice_name: str) -> NumberKey:
    return NumberKey(
        run_sha256=run_sha256,
        axis=axis["axis"],
        dataset=axis["dataset"]["slug"],
        language=axis["language"],
        slice=slice_name,
        metric=axis["metric"],
        scorer=axis["metric"],
    )


def _cut_slices(items: ScoreColumns) -> Iterator[tuple[str, ScoreColumns]]:
    """The whole, then one slice a register that items declare."""
    yield WHOLE, items
    for register in sorted({facts.register for facts in items.count_facts() if facts.register is not None}):
        yield f"register={register}", items.select(partial(_is_of_register, register))


def _is_of_register(register: str, facts: ScoreFacts) -> bool:
    return facts.register == register


def _place(number: SheetNumber) -> tuple[str, ...]:
    return number["axis"], number["dataset"], number["language"], number["slice"], number["metric"]


def _list_differences(one: SheetNumber | None, other: SheetNumber | None) -> tuple[str, ...]:
    left, right = dict(one or {}), dict(other or {})
    return tuple(key for key in sorted(left.keys() | right.keys()) if left.get(key) != right.get(key))
