"""Check what a run opens with, before anything is written (pure)."""

from collections.abc import Mapping, Sequence

from benchproof.archive.errors import OpenRunError
from benchproof.archive.id_table import IdTable
from benchproof.archive.names import axis_key_of, digest_item_ids
from benchproof.archive.schemas import find_misfits
from benchproof.canon import check_id, check_relative_path, digest
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun, RunOpening


def check_opening(
    opening: RunOpening, axes: Mapping[str, ResolvedAxis], items: Mapping[str, Sequence[CompiledItem]]
) -> None:
    """Refuse an opening whose axes, items and digests do not belong together."""
    check_id(opening["id"])
    _require_shape("run-opening", opening, opening["id"])
    keys = [axis_key_of(axis) for axis in opening["axes"]]
    for what, got in (("resolved axes", sorted(axes)), ("compiled items", sorted(items))):
        if got != sorted(keys) or len(set(keys)) != len(keys):
            raise OpenRunError(
                f"the {what} are not those of the opening",
                place=opening["id"],
                got=", ".join(got) or "none",
                expected=", ".join(sorted(keys)) or "none",
            )
    for key, axis_of_run in zip(keys, opening["axes"], strict=True):
        check_relative_path(key)
        _check_axis(key, axis_of_run, axes[key], items[key])


def _check_axis(key: str, stated: AxisOfRun, axis: ResolvedAxis, items: Sequence[CompiledItem]) -> None:
    place = f"axis {key}"
    _require_shape("resolved-axis", axis, place)
    if "/" in key or (axis["axis"], axis["language"]) != (stated["axis"], stated["language"]):
        raise OpenRunError("the axis's name and its content do not agree", place=place, got=repr(axis["axis"]))
    if "resolved" in stated["protocol"]:
        _expect(place, "the digest of the resolved axis", stated["protocol"]["resolved"], digest(axis))
    ids, twice = IdTable(), set()
    for item in items:  # once: items may be read from disk at each turn
        if not ids.add(item["item_id"]):
            twice.add(item["item_id"])
        _require_shape("compiled-item", item, f"{place}: {item['item_id']}")
        if (item["language"], item["script"], item["task"]) != (axis["language"], axis["script"], axis["task"]):
            raise OpenRunError(
                "an item is of another language, script or task than its axis", place=f"{place}: {item['item_id']}"
            )
    if twice:
        raise OpenRunError("item ids are not unique", place=place, got=", ".join(sorted(twice)[:5]))
    _expect(place, "the number of planned items", str(stated["items"]["planned"]), str(len(ids)))
    _expect(place, "the digest of the planned item ids", stated["items"]["digest"], digest_item_ids(ids))


def _expect(place: str, what: str, got: str, expected: str) -> None:
    if got != expected:
        raise OpenRunError(f"{what} is not what the opening states", place=place, got=got, expected=expected)


def _require_shape(schema: str, document: object, place: str) -> None:
    misfits = find_misfits(schema, document)
    if misfits:
        raise OpenRunError(f"not of the shape of a {schema}: {misfits[0].what}", place=f"{place} {misfits[0].pointer}")
