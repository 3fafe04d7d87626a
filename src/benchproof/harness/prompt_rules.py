"""Rules that tie a prompt to its items and solved examples."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from benchproof.archive import ArchiveError
from benchproof.archive.rendering import parse_template
from benchproof.harness.axis_config import Placed
from benchproof.harness.data_lines import RowRule
from benchproof.harness.data_rows import Row
from benchproof.harness.item_rules import input_fields
from benchproof.harness.keys import nearest, shorten
from benchproof.records.bench import Demonstration
from benchproof.rulebook import Finding


def b032_unusable_prompt(prompt: Placed) -> tuple[tuple[str, ...], list[Finding]]:
    """B032: a prompt is not blank and has nothing in braces but field names; returns its fields in order."""
    if not prompt.text.strip():
        return (), [Finding(prompt.place, "B032", "the prompt is blank")]
    try:
        pieces = parse_template(prompt.text)
    except ArchiveError as error:
        return (), [Finding(prompt.place, "B032", error.what, error.got, error.expected, error.hint)]
    return tuple(dict.fromkeys(piece.text for piece in pieces if piece.is_field)), []


class FieldCensus:
    """Which of a prompt's fields rows lack, counted row by row; ``first`` is where a field is lacking first."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.rows = 0
        self.known: set[str] = set()
        self.lacking = dict.fromkeys(fields, 0)
        self.first: dict[str, str] = {}

    def count(self, row: Row, inputs: Mapping[str, str]) -> None:
        """Count one row and its fields."""
        self.rows += 1
        self.known.update(inputs)
        for field in self.lacking:
            if field not in inputs:
                self.lacking[field] += 1
                self.first.setdefault(field, row.place)


def b033_field_that_items_lack(prompt: Placed, census: FieldCensus) -> list[Finding]:
    """B033: each ``{field}`` of a prompt is a field of every item; one finding a field, with the first item."""
    findings = []
    for field, count in census.lacking.items():
        if count:
            first = census.first[field]
            what = f"the prompt asks for {{{field}}}, which {count} of {census.rows} items lack, first {first}"
            findings.append(Finding(prompt.place, "B033", what, hint=nearest(field, sorted(census.known))))
    return findings


def b034_shared_prefix_not_in_prompt(shared: Placed | None, fields: Sequence[str], language: str) -> list[Finding]:
    """B034: the field up to which a passage's text is shared stands in the prompt."""
    if shared is None or shared.text in fields:
        return []
    what = f"shared_prefix is no field of the prompt in {language!r}"
    return [Finding(shared.place, "B034", what, shorten(shared.text), hint=nearest(shared.text, fields))]


def b036_demonstration_is_an_item(
    demonstrations: Iterable[tuple[Row, Demonstration]], fields: Sequence[str]
) -> RowRule:
    """B036: no solved example is an item of the axis, by its id or by the text that the prompt shows of it."""
    waiting = {
        number: (row, str(row.values["id"]) if "id" in row.values else None, _shown_text(demo["input"], fields))
        for number, (row, demo) in enumerate(demonstrations)
    }

    def check(item: Row) -> list[Finding]:
        if not waiting:
            return []
        name, shown = str(item.values.get("id")), _shown_text(input_fields(item), fields)
        met = [number for number, (_row, id_, text) in waiting.items() if id_ == name or (fields and text == shown)]
        what = f"a demonstration is the item at {item.place}: its answer would be shown before it is asked"
        hint = "Take another example."
        return [Finding(waiting.pop(number)[0].place, "B036", what, hint=hint) for number in met]

    return check


def _shown_text(inputs: Mapping[str, str], fields: Sequence[str]) -> tuple[str, ...]:
    """What a prompt shows of an input, without differences of case, width and spacing."""
    return tuple(" ".join(unicodedata.normalize("NFKC", inputs.get(field, "")).casefold().split()) for field in fields)
