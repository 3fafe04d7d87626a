"""The order in which findings are reported: by file, line and column as numbers, then by code."""

import re
from collections.abc import Iterable

from benchproof.rulebook import Finding

_PLACE = re.compile(r"(.*?)(?::(\d+))?(?::(\d+))?")


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without repetition, in reading order."""
    return sorted(dict.fromkeys(findings), key=_reading_order)


def _reading_order(finding: Finding) -> tuple[str, int, int, str, str]:
    match = _PLACE.fullmatch(finding.place)
    path, line, column = match.groups() if match else (finding.place, None, None)
    return path, int(line or 0), int(column or 0), finding.code, finding.what
