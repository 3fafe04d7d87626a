"""What is to be known of an Inspect log: what left its denominator, how it ended, what was edited, what was refused."""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from benchproof.rulebook import Finding, Severity

SHOWN = 5


def i013_errored_left_out(place: str, errored: int, asked: int, items: Collection[str]) -> Iterator[Finding]:
    """A sample that failed is in no denominator of Inspect, and a log with such samples still says success."""
    if errored:
        yield Finding(
            place,
            "I013",
            f"{errored:,} of {asked:,} samples ended in an error and left the denominator",
            got=_name(items),
            hint="The number over each count: benchproof why TAG.",
            severity=Severity.WARNING,
        )


def i014_no_score(place: str, count: int, asked: int, items: Collection[str], *, as_zero: bool) -> Iterator[Finding]:
    """A sample without a score is not a wrong one: some metrics leave it out, and some count it as 0."""
    if count:
        how = "the log's number counts them as 0" if as_zero else "they left the denominator"
        yield Finding(
            place,
            "I014",
            f"{count:,} of {asked:,} samples were answered and have no score: {how}",
            got=_name(items),
            severity=Severity.WARNING,
        )


def i027_member(place: str, members: Sequence[str], what: str) -> Iterator[Finding]:
    """A member of an archive that is not what a harness writes is told of; one that could do harm is not read."""
    if members:
        yield Finding(place, "I027", what, got=_name(members), severity=Severity.WARNING)


def i029_no_success(place: str, status: str, reason: str) -> Iterator[Finding]:
    """A log that does not say that it came to its end is of a part, whatever it states of the whole."""
    if status != "success":
        yield Finding(
            place,
            "I029",
            f"the log says that its run ended otherwise than in success: {status}",
            got=reason[:200] or None,
            severity=Severity.WARNING,
        )


def i030_edited(place: str, cases: Collection[str], who: str) -> Iterator[Finding]:
    """A score that was changed after the run is not what the scorer gave."""
    if cases:
        by = f" (by {who})" if who else ""
        what = f"{len(cases):,} parts of the log were edited after the run{by}"
        yield Finding(place, "I030", what, got=_name(cases), severity=Severity.WARNING)


def i043_metric_differs(place: str, name: str, stated: Any, here: float) -> Iterator[Finding]:
    """A standard error, deviation or interval is what Inspect's own rule gives for the item scores of the log."""
    is_number = isinstance(stated, int | float) and not isinstance(stated, bool)
    if not is_number or not math.isclose(stated, here, rel_tol=1e-6, abs_tol=1e-9):
        yield Finding(
            place,
            "I043",
            f"{name}: the log states another value than its own item scores give",
            got=f"{stated}"[:60],
            expected=f"{here:.12g}",
        )


def i044_fewer_samples(place: str, recorded: int, asked: int) -> Iterator[Finding]:
    """Where samples of an item are missing, its mean is of those that there are."""
    if recorded < asked:
        yield Finding(
            place,
            "I044",
            "the log has fewer samples of its items than were asked",
            got=f"{recorded:,}",
            expected=f"{asked:,}",
            severity=Severity.WARNING,
        )


def _name(cases: Collection[str]) -> str:
    listed = list(cases)
    more = f" and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else ""
    return ", ".join(one[:80] for one in listed[:SHOWN]) + more
