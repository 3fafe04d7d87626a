"""Check the keys of a bench.yaml against the catalogue ``keys.toml``: which keys there are, and what each may hold.

Laws kept: an unknown key is an error that names the nearest valid one; a key that this version does not act on is
accepted and said so, never silently (contract-bench §1).
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from benchproof.harness.yaml_tree import Node
from benchproof.rulebook import Finding

_TYPE_WORDS = {
    "text": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "texts": "a list of texts",
    "weights": "a mapping from name to a number that is not negative",
    "prompt": "text, or a mapping from language to text",
    "data-path": "a path of the package, such as data/reading.{language}.jsonl",
    "demonstrations": "a path, a list of solved examples, or one of them a language",
    "languages": "a mapping from language to script, such as {en: Latn}, or a list of languages",
    "map": "a mapping",
    "list": "a list of mappings",
}


@dataclass(frozen=True, slots=True)
class KeyRule:
    """One row of the catalogue."""

    type: str
    required: bool = False
    fate: str = "used"
    reason: str = ""
    one_of: tuple[str, ...] = ()
    pattern: str | None = None
    minimum: float | None = None
    above: float | None = None
    at_most: float | None = None
    hint: str | None = None

    @property
    def table(self) -> str | None:
        """Name of the table that a nested mapping follows."""
        return self.type.partition(":")[2] or None

    @property
    def words(self) -> str:
        """What a value of the type is, in words."""
        return _TYPE_WORDS.get(self.type.partition(":")[0], "anything")


@dataclass(slots=True)
class KeyReport:
    """What checking found: broken rules, and notes about keys that are accepted and not acted on."""

    file: str
    findings: list[Finding] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def place(self, line: int, column: int) -> str:
        """``file:line:column``."""
        return f"{self.file}:{line}:{column}"

    def place_of(self, node: Node) -> str:
        """Where a node begins."""
        return self.place(node.line, node.column)


@cache
def load_keys() -> Mapping[str, Mapping[str, KeyRule]]:
    """The catalogue: table → key → rule."""
    text = resources.files("benchproof.harness").joinpath("keys.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    return {table: {key: _read_rule(row) for key, row in rows.items()} for table, rows in tables.items()}


def _read_rule(row: dict[str, Any]) -> KeyRule:
    return KeyRule(**{**row, "one_of": tuple(row.get("one_of", ()))})


def nearest(name: str, names: Iterable[str]) -> str | None:
    """A hint that names the closest valid name, or lists all of them where none is close."""
    known = sorted(names)
    listed = f"Known: {', '.join(known)}." if known else None
    return suggest(name, known) or listed


def suggest(name: str, names: Iterable[str]) -> str | None:
    """A hint that names the closest valid name, for a message that lists all of them already."""
    close = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.6)
    return f"Did you mean {close[0]!r}?" if close else None


def check_mapping(node: Node, table: str, report: KeyReport) -> dict[str, Node]:
    """The keys of ``node`` that are used and right; every fault goes to ``report``."""
    rules = load_keys()[table]
    used: dict[str, Node] = {}
    for key, value in node.value.items():
        rule = rules.get(key)
        if rule is None:
            report.findings.append(b004_unknown_key(key, node, table, report))
            continue
        faults = b005_wrong_value(key, value, rule, report)
        report.findings.extend(faults)
        if not faults and rule.fate == "used":
            used[key] = value
        if not faults and rule.fate != "used":
            report.notes[_describe_fate(table, key, rule)] = None
    report.findings.extend(b006_missing_key(node, rules, report))
    return used


def _describe_fate(table: str, key: str, rule: KeyRule) -> str:
    where = key if table == "bench" else f"{table}.{key}"
    verb = "is not acted on yet" if rule.fate == "later" else "is ignored"
    return f"`{where}` {verb}: {rule.reason}"


def b004_unknown_key(key: str, node: Node, table: str, report: KeyReport) -> Finding:
    """B004: a key is one of the catalogue's."""
    line, column = (node.keys or {}).get(key, (node.line, node.column))
    where = "bench.yaml" if table == "bench" else f"`{table}`" if table != "axis" else "an axis"
    return Finding(
        report.place(line, column), "B004", f"unknown key {key!r} in {where}", hint=nearest(key, load_keys()[table])
    )


def b005_wrong_value(key: str, node: Node, rule: KeyRule, report: KeyReport) -> list[Finding]:
    """B005: a value has the type and range that the catalogue states; a boolean is not a number."""
    kind = rule.type.partition(":")[0]
    if not _TYPE_CHECKS[kind](node):
        what, got = f"wrong value of {key!r}", shorten(node.plain())
        return [Finding(report.place_of(node), "B005", what, got, _TYPE_WORDS[kind], rule.hint)]
    expected = _broken_limit(node.value, rule)
    if expected:
        what, got = f"value of {key!r} is not allowed", shorten(node.plain())
        hint = nearest(node.value, rule.one_of) if rule.one_of and isinstance(node.value, str) else rule.hint
        return [Finding(report.place_of(node), "B005", what, got, expected, hint)]
    return []


def b006_missing_key(node: Node, rules: Mapping[str, KeyRule], report: KeyReport) -> list[Finding]:
    """B006: a required key is there."""
    return [
        Finding(report.place_of(node), "B006", f"required key {key!r} is missing", hint=rule.hint)
        for key, rule in rules.items()
        if rule.required and key not in node.value
    ]


def shorten(value: Any) -> str:
    """A value as an error shows it."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def is_number(value: object) -> bool:
    """Whether a value is a number; a boolean is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text_list(node: Node) -> bool:
    return isinstance(node.value, list) and all(isinstance(each.value, str) for each in node.value)


def _is_text_map(node: Node) -> bool:
    return isinstance(node.value, dict) and all(isinstance(each.value, str) for each in node.value.values())


def _is_weights(node: Node) -> bool:
    return isinstance(node.value, dict) and all(is_number(v.value) and v.value >= 0 for v in node.value.values())


def _is_mapping_list(node: Node) -> bool:
    return isinstance(node.value, list) and all(isinstance(each.value, dict) for each in node.value)


def _is_demonstrations(node: Node) -> bool:
    sources = node.value.values() if isinstance(node.value, dict) else [node]
    return all(isinstance(source.value, str) or _is_mapping_list(source) for source in sources)


_TYPE_CHECKS: Mapping[str, Callable[[Node], bool]] = {
    "any": lambda _node: True,
    "boolean": lambda node: isinstance(node.value, bool),
    "data-path": lambda node: isinstance(node.value, str) and bool(node.value.strip()),
    "demonstrations": _is_demonstrations,
    "integer": lambda node: isinstance(node.value, int) and not isinstance(node.value, bool),
    "languages": lambda node: bool(node.value) and (_is_text_list(node) or _is_text_map(node)),
    "list": _is_mapping_list,
    "map": lambda node: isinstance(node.value, dict),
    "number": lambda node: is_number(node.value),
    "prompt": lambda node: isinstance(node.value, str) or _is_text_map(node),
    "text": lambda node: isinstance(node.value, str),
    "texts": _is_text_list,
    "weights": _is_weights,
}


def _broken_limit(value: Any, rule: KeyRule) -> str | None:
    if rule.one_of and value not in rule.one_of:
        return f"one of {', '.join(rule.one_of)}"
    if rule.pattern and not re.fullmatch(rule.pattern, value):
        return f"text like {rule.pattern}"
    if rule.minimum is not None and value < rule.minimum:
        return f"at least {rule.minimum:g}"
    if rule.above is not None and value <= rule.above:
        return f"more than {rule.above:g}"
    if rule.at_most is not None and value > rule.at_most:
        return f"at most {rule.at_most:g}"
    return None
