"""Whether an imported run's axes and records follow from the log that was kept with it."""

from collections.abc import Iterator
from typing import NamedTuple

from benchproof.archive import SealedRun, axis_path, records_path
from benchproof.canon import canonical, sha256_hex
from benchproof.interop.errors import InteropError
from benchproof.interop.foreign_run import ForeignAxis
from benchproof.interop.rereading import reread_run
from benchproof.interop.shapes import each_in_shape
from benchproof.rulebook import Finding

SHOWN = 5


class Agreement(NamedTuple):
    """What reading the kept log again gave: findings, and how many records it gave to the byte."""

    findings: tuple[Finding, ...]
    records: int


def compare_with_log(run: SealedRun) -> Agreement:
    """Read the kept log again and compare each axis and record with the sealed one."""
    place = f"runs/{run.id}"
    try:
        foreign = reread_run(run)
        read = {f"{axis.axis['axis']}.{axis.axis['language']}": axis for axis in foreign.axes}
        found: list[Finding] = []
        same = 0
        for axis_key in run.axis_keys:
            if axis_key in read:
                agreed, findings = _compare_axis(run, axis_key, read[axis_key], place)
                same += agreed
                found += findings
        found += i001_axes_follow(place, set(run.axis_keys), set(read))
    except InteropError as error:
        return Agreement((Finding(place, "I001", f"the kept log cannot be read again: {error}"),), 0)
    return Agreement(tuple(found), same)


def i001_axes_follow(place: str, sealed: set[str], read: set[str]) -> Iterator[Finding]:
    """The axes of an imported run are those that its kept log gives."""
    for axis_key in sorted(sealed ^ read):
        what = "is not in the kept log" if axis_key in sealed else "is in the kept log, and not in the run"
        yield Finding(place, "I001", f"the axis {axis_key} {what}")


def _compare_axis(run: SealedRun, axis_key: str, axis: ForeignAxis, place: str) -> tuple[int, list[Finding]]:
    expected = {record["item_id"]: sha256_hex(canonical(record)) for record in each_in_shape(axis.records(), axis_key)}
    axis.axis["planned"] = max(axis.axis["planned"], len(expected))
    findings: list[Finding] = []
    other: list[str] = []
    same = 0
    for line, record in run.records(axis_key):
        if expected.pop(record["item_id"], None) == line.sha256:
            same += 1
        else:
            other.append(record["item_id"])
    if other or expected:
        shown = ", ".join([*other, *expected][:SHOWN])
        findings.append(
            Finding(
                f"{place}/{records_path(axis_key)}",
                "I001",
                "records do not follow from the kept log",
                got=f"{len(other):,} otherwise, {len(expected):,} missing: {shown}",
                hint="They were altered, or read by another version of benchproof.",
            )
        )
    if canonical(axis.axis) != canonical(run.imported_axis(axis_key)):
        findings.append(Finding(f"{place}/{axis_path(axis_key)}", "I001", "the axis does not follow from the kept log"))
    return same, findings
