"""Close a run's manifest, given what was recorded (pure)."""

import copy
from collections.abc import Mapping, Sequence

from benchproof.archive.names import axis_key_of, digest_item_ids
from benchproof.archive.recorded import RecordedItems
from benchproof.records.run import AxisOfRun, FileEntry, RunManifest, RunOpening

CUT = "cut"


def is_cut(axis: AxisOfRun) -> bool:
    """Whether an axis says that planned items have no record."""
    return axis["items"]["selection"] == CUT


def close_axis(axis: AxisOfRun, recorded: RecordedItems) -> AxisOfRun:
    """An axis as its manifest states it, given the outcome of each recorded item (pure).

    Where planned items have no record, the selection is ``cut`` and the setting names what is there by count and digest
    of the item ids, so that two runs cut at different items are never taken for alike.
    """
    closed = copy.deepcopy(axis)
    closed["counts"] = dict(sorted(recorded.count_outcomes().items()))
    if len(recorded) < axis["items"]["planned"]:
        digest = digest_item_ids(recorded.ids)
        closed["items"] = {"planned": axis["items"]["planned"], "selection": CUT, "digest": digest}
        closed["setting"]["items"] = f"{CUT}@{len(recorded)}/{digest[:12]}"
    return closed


def close_manifest(
    opening: RunOpening, recorded: Mapping[str, RecordedItems], files: Sequence[FileEntry], *, sealed_at: str
) -> RunManifest:
    """The manifest of a run that seals now (pure). ``recorded`` is by axis key."""
    axes = [close_axis(axis, recorded[axis_key_of(axis)]) for axis in opening["axes"]]
    manifest: RunManifest = {
        "schema_version": 1,
        "kind": "run",
        "id": opening["id"],
        "status": "sealed",
        "created_at": opening["created_at"],
        "sealed_at": sealed_at,
        "synthetic": opening["synthetic"],
        "partial": any(is_cut(axis) for axis in axes),
        "model": opening["model"],
        "axes": axes,
        "bench": opening["bench"],
        "harness": opening["harness"],
        "environment": opening["environment"],
        "seeds": opening["seeds"],
        "files": sorted(files, key=lambda entry: entry["path"]),
    }
    if "derived_from" in opening:
        manifest["derived_from"] = opening["derived_from"]
    if "imported_from" in opening:
        manifest["imported_from"] = opening["imported_from"]
    return manifest
