"""The rows of ``rules.toml``: one a rule, with its code, meaning, weight, source and home."""

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from benchproof.errors import BenchproofError
from benchproof.rulebook.findings import Severity


class RulebookError(BenchproofError):
    """A code that no row has, or a row that cannot be used."""


@dataclass(frozen=True, slots=True, order=True)
class Rule:
    """One rule. ``home`` is the ``module:function`` that decides it; ``source`` says where the rule stands."""

    code: str
    title: str
    severity: Severity
    source: str
    home: str


def load_rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the file.

    Raises:
        RulebookError: The file has a row that is not complete.
    """
    return {rule.code: rule for rule in _read_rules()}


def find_rule(code: str) -> Rule:
    """The rule of a code, in any letter case.

    Raises:
        RulebookError: There is no such rule; the nearest codes are named.
    """
    rules = load_rules()
    rule = rules.get(code.strip().upper())
    if rule is not None:
        return rule
    nearest = difflib.get_close_matches(code.upper(), rules, n=3, cutoff=0.5)
    raise RulebookError(
        "there is no rule with this code",
        got=repr(code),
        expected=f"one like {', '.join(nearest)}" if nearest else "a letter and three digits, such as J005",
        hint="`benchproof rules` lists them all.",
    )


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Read rows from the text of a rules file.

    Raises:
        RulebookError: The text is not TOML, or a row has not exactly its four fields.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise RulebookError(f"the rules file is not TOML: {fault}", place="rules.toml") from None
    return tuple(_build_rule(code, row) for code, row in tables.items())


@cache
def _read_rules() -> tuple[Rule, ...]:
    return parse_rules(resources.files("benchproof.rulebook").joinpath("rules.toml").read_text("utf-8"))


def _build_rule(code: str, row: object) -> Rule:
    fields = ("title", "severity", "source", "home")
    if not isinstance(row, dict) or sorted(row) != sorted(fields) or not all(isinstance(v, str) for v in row.values()):
        got = ", ".join(sorted(row)) if isinstance(row, dict) else type(row).__name__
        raise RulebookError(
            "a rule's row is not complete", place=code, got=got, expected=f"the texts {', '.join(fields)}"
        )
    try:
        severity = Severity(row["severity"])
    except ValueError:
        allowed = ", ".join(Severity)
        raise RulebookError("a rule's severity is unknown", place=code, got=row["severity"], expected=allowed) from None
    return Rule(code=code, title=row["title"], severity=severity, source=row["source"], home=row["home"])
