"""Rules that tie a prompt to its items and solved examples."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from benchproof.archive import ArchiveError
from benchproof.archive.rendering import parse_template
from benchproof.harness.axis_config import Placed
from benchproof.harness.data_lines import Row
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


def b033_field_that_items_lack(
    prompt: Placed, fields: Sequence[str], rows: Sequence[tuple[Row, Mapping[str, str]]]
) -> list[Finding]:
    """B033: each ``{field}`` of a prompt is a field of every item; one finding a field, with the first item."""
    findings = []
    for field in fields:
        lacking = [row for row, inputs in rows if field not in inputs]
        if not lacking:
            continue
        known = sorted({name for _row, inputs in rows for name in inputs})
        what = (
            f"the prompt asks for {{{field}}}, which {len(lacking)} of {len(rows)} items lack, first {lacking[0].place}"
        )
        findings.append(Finding(prompt.place, "B033", what, hint=nearest(field, known)))
    return findings


def b034_shared_prefix_not_in_prompt(shared: Placed | None, fields: Sequence[str], language: str) -> list[Finding]:
    """B034: the field up to which a passage's text is shared stands in the prompt."""
    if shared is None or shared.text in fields:
        return []
    what = f"shared_prefix is no field of the prompt in {language!r}"
    return [Finding(shared.place, "B034", what, shorten(shared.text), hint=nearest(shared.text, fields))]


def b036_demonstration_is_an_item(
    demonstrations: Iterable[tuple[Row, Demonstration]],
    items: Iterable[tuple[Row, Mapping[str, str]]],
    fields: Sequence[str],
) -> list[Finding]:
    """B036: no solved example is an item of the axis, by its id or by the text that the prompt shows of it."""
    by_id: dict[str, str] = {}
    by_text: dict[tuple[str, ...], str] = {}
    for row, inputs in items:
        by_id.setdefault(str(row.values.get("id")), row.place)
        by_text.setdefault(_shown_text(inputs, fields), row.place)
    findings = []
    for row, demonstration in demonstrations:
        place = by_text.get(_shown_text(demonstration["input"], fields)) if fields else None
        if place is None and "id" in row.values:
            place = by_id.get(str(row.values["id"]))
        if place is not None:
            what = f"a demonstration is the item at {place}: its answer would be shown before it is asked"
            findings.append(Finding(row.place, "B036", what, hint="Take another example."))
    return findings


def _shown_text(inputs: Mapping[str, str], fields: Sequence[str]) -> tuple[str, ...]:
    """What a prompt shows of an input, without differences of case, width and spacing."""
    return tuple(" ".join(unicodedata.normalize("NFKC", inputs.get(field, "")).casefold().split()) for field in fields)
