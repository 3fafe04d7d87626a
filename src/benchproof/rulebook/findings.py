"""Findings: what is returned when data breaks a rule (an error is raised when work cannot go on)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs: an error makes a check fail, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One broken rule at one place. Findings sort by place, then code, so that reports are reproducible."""

    place: str
    code: str
    what: str
    got: str | None = None
    expected: str | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        parts = [f"{self.place}: {self.code} {self.what}"]
        if self.got is not None:
            parts.append(f"got {self.got}")
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        text = "; ".join(parts)
        return f"{text}. {self.hint}" if self.hint else text


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether any finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)
