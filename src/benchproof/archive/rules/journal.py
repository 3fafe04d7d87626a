"""Rules about the journal of an open run (contract-archive §7)."""

from collections.abc import Iterator

from benchproof.archive.journal import Replay
from benchproof.rulebook import Finding, Severity


def a046_torn_journal_line(place: str, replay: Replay) -> Iterator[Finding]:
    """A journal line that is not whole counts for nothing, and is named."""
    for torn in replay.torn:
        yield Finding(
            place=f"{place}:{torn.line}",
            code="A046",
            what=f"a torn journal line was dropped: {torn.reason}",
            got=f"{torn.length} bytes at offset {torn.offset}",
            hint="Its item is asked again",
            severity=Severity.WARNING,
        )
