"""Read one plain YAML document into a tree whose every node knows its line and column.

Laws kept: nothing is constructed but strings, numbers, booleans, null, lists and mappings (YAML 1.2 core schema);
tags, anchors, aliases, merge keys, directives, further documents and duplicate keys are refused; depth and size are
bounded, so that no document can cost much. The one file that imports the YAML library.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

MAX_BYTES = 1_000_000
MAX_DEPTH = 32
GRAMMAR_HINT = "Is a line indented unlike its neighbours, or a text with a colon or bracket not in quotes?"

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {"true": True, "True": True, "TRUE": True, "false": False, "False": False}
_WORDS |= {"FALSE": False, "null": None, "Null": None, "NULL": None, "~": None, "": None}


class YamlFaultError(Exception):
    """Why the document is not plain YAML, and where; ``rule`` is the code of the rule that it breaks."""

    def __init__(self, rule: str, what: str, line: int, column: int, hint: str | None = None) -> None:
        super().__init__(what)
        self.rule = rule
        self.what = what
        self.line = line
        self.column = column
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Node:
    """A value with the 1-based place where it begins.

    ``value`` is a scalar, a list of nodes, or a mapping from key to node; ``keys`` holds the place of each key.
    """

    value: Any
    line: int
    column: int
    keys: dict[str, tuple[int, int]] | None = None

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def b001_read_plain_yaml(data: bytes) -> Node:
    """B001: ``data`` is strict UTF-8 and one plain document; raises ``YamlFaultError``."""
    if len(data) > MAX_BYTES:
        raise YamlFaultError("B001", f"the file has more than {MAX_BYTES:,} bytes", 1, 1)
    if data.startswith(b"\xef\xbb\xbf"):
        raise YamlFaultError("B001", "the file begins with a byte order mark", 1, 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise YamlFaultError("B001", f"byte {error.start} is not UTF-8", line, 1) from error
    try:
        return _build_document(YAML(typ="safe", pure=True).parse(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = f"not YAML: {error.problem or error.context}"
        raise YamlFaultError("B001", what, line, column, hint=GRAMMAR_HINT) from error
    except YAMLError as error:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position) + 1
        raise YamlFaultError("B001", "a control character is not allowed here", line, 1) from error


def _build_document(events: Iterator[Event]) -> Node:
    document: Node | None = None
    for event in events:
        if isinstance(event, DocumentStartEvent):
            if event.version is not None or event.tags:
                raise _fault("B003", "a YAML directive is not allowed", event)
            if document is not None:
                raise _fault("B001", "a second document begins; one file is one document", event)
            document = _build_node(next(events), events, 1)
        elif not isinstance(event, StreamStartEvent | StreamEndEvent) and document is None:
            raise _fault("B001", "no document", event)
    if document is None:
        raise YamlFaultError("B001", "the file is empty", 1, 1)
    return document


def _build_node(event: Event, events: Iterator[Event], depth: int) -> Node:
    b003_refuse_magic(event)
    line, column = event.start_mark.line + 1, event.start_mark.column + 1
    if depth > MAX_DEPTH:
        raise _fault("B001", f"nested deeper than {MAX_DEPTH}", event)
    if isinstance(event, ScalarEvent):
        return Node(_resolve_scalar(event), line, column)
    if isinstance(event, SequenceStartEvent):
        nodes = []
        while not isinstance(following := next(events), SequenceEndEvent):
            nodes.append(_build_node(following, events, depth + 1))
        return Node(nodes, line, column)
    return _build_mapping(event, events, depth)


def _build_mapping(event: Event, events: Iterator[Event], depth: int) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, tuple[int, int]] = {}
    while not isinstance(key_event := next(events), MappingEndEvent):
        b003_refuse_magic(key_event)
        if not isinstance(key_event, ScalarEvent):
            raise _fault("B001", "a key must be plain text", key_event)
        key = _read_text(key_event)
        b002_refuse_duplicate_key(key, keys, key_event)
        keys[key] = (key_event.start_mark.line + 1, key_event.start_mark.column + 1)
        values[key] = _build_node(next(events), events, depth + 1)
    return Node(values, event.start_mark.line + 1, event.start_mark.column + 1, keys)


def b002_refuse_duplicate_key(key: str, keys: dict[str, tuple[int, int]], event: Event) -> None:
    """B002: a key stands once in its mapping."""
    if key in keys:
        line, column = keys[key]
        raise _fault("B002", f"key {key!r} stands twice, first at {line}:{column}", event)


def b003_refuse_magic(event: Event) -> None:
    """B003: no tag, anchor, alias or merge key; what is written is what is meant."""
    if isinstance(event, ScalarEvent) and event.value == "<<" and event.style is None:
        raise _fault("B003", "a merge key is not allowed; write the keys out", event)
    if isinstance(event, AliasEvent):
        raise _fault("B003", f"an alias (*{event.anchor}) is not allowed; write the value out", event)
    if getattr(event, "anchor", None):
        raise _fault("B003", f"an anchor (&{event.anchor}) is not allowed", event)  # type: ignore[attr-defined]
    if isinstance(event, ScalarEvent | SequenceStartEvent | MappingStartEvent) and event.tag is not None:
        raise _fault("B003", f"a tag ({event.tag}) is not allowed", event)


def _resolve_scalar(event: ScalarEvent) -> str | int | float | bool | None:
    text = _read_text(event)
    if event.style is not None:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= 18 else text
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    return text


def _read_text(event: ScalarEvent) -> str:
    """The text of a scalar; an escape can make half of a surrogate pair, which no evidence could hold."""
    text = str(event.value)
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise _fault("B001", "an escape stands for half of a surrogate pair; write the character itself", event)
    return text


def _fault(rule: str, what: str, event: Event) -> YamlFaultError:
    return YamlFaultError(rule, what, event.start_mark.line + 1, event.start_mark.column + 1)
