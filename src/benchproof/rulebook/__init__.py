"""Rule codes and findings: each rule has one row here and one home in the room that owns it."""

from benchproof.rulebook.findings import Finding, Severity, has_errors

__all__ = ["Finding", "Severity", "has_errors"]
