"""Rules of one data line: its id, its gold, its fields (contract-bench §3; contract-archive §6).

Each function takes a row and returns the faults that it has, or gives such a function that compares each row with those
it was shown before. A boolean is never a number.
"""

from array import array
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from benchproof.archive import IdTable
from benchproof.canon import digest
from benchproof.harness.data_lines import RowRule
from benchproof.harness.data_rows import Row
from benchproof.harness.keys import nearest, shorten, suggest
from benchproof.records.bench import AxisType
from benchproof.rulebook import Finding

MAX_ID_LENGTH = 200
_DIGEST_BYTES = 16
GOLD_KEYS = {"choice": ("choices", "answer_index"), "short-answer": ("references",)}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_text_list(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


_RESERVED_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "choices": (_is_text_list, "a list of texts"),
    "references": (_is_text_list, "a list of texts"),
    "register": (_is_text_or_null, "a text"),
    "passage_id": (_is_text_or_null, "a text"),
    "overlap_group_ids": (_is_text_list, "a list of texts"),
    "source_item_id": (_is_text, "a text"),
    "excluded": (lambda value: isinstance(value, bool), "true or false"),
    "exclusion_reason": (_is_text_or_null, "a text"),
    "meta": (lambda value: isinstance(value, dict), "an object"),
}
RESERVED_KEYS = frozenset({"id", "answer_index", *_RESERVED_TYPES})


def input_fields(row: Row, reserved: Iterable[str] = RESERVED_KEYS) -> dict[str, str]:
    """Every key of a row that is not reserved is a field of ``input``."""
    kept = frozenset(reserved)
    return {key: value for key, value in row.values.items() if key not in kept and isinstance(value, str)}


def b019_unusable_id(row: Row) -> list[Finding]:
    """B019: an id is a text of 1 to 200 visible characters without spaces."""
    value = row.values.get("id")
    if isinstance(value, str) and 0 < len(value) <= MAX_ID_LENGTH and value.isprintable() and " " not in value:
        return []
    got = "no id" if "id" not in row.values else shorten(value)
    return [Finding(row.place, "B019", "unusable id", got, "1 to 200 visible characters without spaces")]


def b020_duplicate_ids() -> RowRule:
    """B020: an id stands once in its file; both rows are named, before any model is asked."""
    ids, lines = IdTable(), array("Q")

    def check(row: Row) -> list[Finding]:
        name = row.values.get("id")
        if not isinstance(name, str):
            return []
        if ids.add(name):
            lines.append(row.line or 0)
            return []
        known = lines[ids.number_of(name) or 0]
        return [Finding(row.place, "B020", f"id {name!r} stands twice, first at {row.file}:{known}")]

    return check


def b021_reserved_key_of_wrong_type(row: Row) -> list[Finding]:
    """B021: a reserved key has its type."""
    return [
        Finding(row.place, "B021", f"wrong type of {key!r}", shorten(row.values[key]), expected)
        for key, (has_type, expected) in _RESERVED_TYPES.items()
        if key in row.values and not has_type(row.values[key])
    ]


def b022_field_that_is_no_text(row: Row, reserved: Iterable[str] = RESERVED_KEYS) -> list[Finding]:
    """B022: a key that is not reserved is a field of the prompt, and so a text."""
    known = frozenset(reserved)
    return [
        Finding(row.place, "B022", f"field {key!r} is no text", shorten(value), "a text", _hint_reserved(key, known))
        for key, value in row.values.items()
        if key not in known and not isinstance(value, str)
    ]


def _hint_reserved(key: str, known: frozenset[str]) -> str | None:
    hint = nearest(key, known)
    return hint if hint and hint.startswith("Did") else None


def b023_too_few_choices(row: Row) -> list[Finding]:
    """B023: a choice has at least two candidates."""
    choices = row.values.get("choices")
    if not _is_text_list(choices) or len(choices) >= 2:
        return []
    return [Finding(row.place, "B023", "fewer than two choices", str(len(choices)), "at least 2")]


def b024_blank_choice(row: Row) -> list[Finding]:
    """B024: no choice is empty or blank."""
    choices = row.values.get("choices")
    if not _is_text_list(choices):
        return []
    blank = [index for index, choice in enumerate(choices) if not choice.strip()]
    return [Finding(row.place, "B024", f"choice {index} is blank", shorten(choices[index])) for index in blank]


def b025_same_choice_twice(row: Row) -> list[Finding]:
    """B025: no two choices are the same text; no likelihood could tell them apart."""
    choices = row.values.get("choices")
    if not _is_text_list(choices):
        return []
    first: dict[str, int] = {}
    return [
        Finding(row.place, "B025", f"choices {first[choice]} and {index} are the same", shorten(choice))
        for index, choice in enumerate(choices)
        if choice.strip() and first.setdefault(choice, index) < index
    ]


def b026_answer_index_out_of_range(row: Row) -> list[Finding]:
    """B026: ``answer_index`` is an integer that points to a choice; neither a boolean nor 1.0 is an integer."""
    choices = row.values.get("choices")
    if "answer_index" not in row.values or not _is_text_list(choices) or not choices:
        return []
    index = row.values["answer_index"]
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(choices):
        return []
    expected = f"a whole number from 0 to {len(choices) - 1}"
    return [Finding(row.place, "B026", "answer_index points to no choice", shorten(index), expected)]


def b027_gold_of_other_type(row: Row, kind: AxisType) -> list[Finding]:
    """B027: a choice item has choices and answer_index, a short-answer item references, and neither the other's."""
    own = GOLD_KEYS[kind]
    foreign = GOLD_KEYS["short-answer" if kind == "choice" else "choice"]
    findings = [
        Finding(row.place, "B027", f"{key!r} is missing", expected=f"a {kind} item has {' and '.join(own)}")
        for key in own
        if key not in row.values
    ]
    return findings + [
        Finding(row.place, "B027", f"{key!r} does not belong here", expected=f"a {kind} item has {' and '.join(own)}")
        for key in foreign
        if key in row.values
    ]


def b028_blank_references(row: Row) -> list[Finding]:
    """B028: there is at least one reference, and none is blank."""
    references = row.values.get("references")
    if not _is_text_list(references):
        return []
    if references and all(reference.strip() for reference in references):
        return []
    return [Finding(row.place, "B028", "references are empty or blank", shorten(references), "at least one text")]


def b029_unknown_register(row: Row, registers: Iterable[str]) -> list[Finding]:
    """B029: the register of an item is one that the bench declares."""
    register = row.values.get("register")
    known = tuple(registers)
    if not isinstance(register, str) or register in known:
        return []
    expected = f"one of {', '.join(known)}"
    return [Finding(row.place, "B029", "unknown register", shorten(register), expected, suggest(register, known))]


def b030_passage_with_other_text(field: str) -> RowRule:
    """B030: one passage_id is one text, because items of a passage are one cluster and share its decoding."""
    passages, lines, digests = IdTable(), array("Q"), bytearray()

    def check(row: Row) -> list[Finding]:
        passage = row.values.get("passage_id")
        if not isinstance(passage, str) or field not in row.values:
            return []
        text = bytes.fromhex(digest(row.values[field]))[:_DIGEST_BYTES]
        if passages.add(passage):
            lines.append(row.line or 0)
            digests.extend(text)
            return []
        number = passages.number_of(passage) or 0
        if digests.startswith(text, number * _DIGEST_BYTES):
            return []
        what = f"passage {passage!r} has another text in {field!r} than at {row.file}:{lines[number]}"
        return [Finding(row.place, "B030", what, hint="Give it another passage_id, or the same text.")]

    return check


def b031_excluded_without_reason(row: Row) -> list[Finding]:
    """B031: an excluded item says why; an included one gives no reason."""
    reason = row.values.get("exclusion_reason")
    if row.values.get("excluded") is True and not (isinstance(reason, str) and reason.strip()):
        return [Finding(row.place, "B031", "an item is excluded without an exclusion_reason")]
    if row.values.get("excluded") is not True and isinstance(reason, str):
        return [Finding(row.place, "B031", "an exclusion_reason of an item that is not excluded", shorten(reason))]
    return []
