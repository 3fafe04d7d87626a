"""Rule codes and findings: each rule has one row here and one home in the room that owns it."""

from benchproof.rulebook.findings import Finding, Severity, has_errors
from benchproof.rulebook.rules import Rule, RulebookError, find_rule, load_rules

__all__ = ["Finding", "Rule", "RulebookError", "Severity", "find_rule", "has_errors", "load_rules"]
