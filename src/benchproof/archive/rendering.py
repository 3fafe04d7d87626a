"""The only rendering of prompts, in ``run`` and in ``verify`` (contract-archive §6, "prompt template").

``{name}`` is the string field ``name`` of the item's ``input``; ``{{`` and ``}}`` are braces; there is nothing else,
and nothing is trimmed. A demonstration is the same template on its own ``input``, then prefix, answer and suffix, then
the separator.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from benchproof.archive.errors import RenderingError
from benchproof.records.bench import CompiledItem, ResolvedAxis

DEFAULT_SEPARATOR = "\n\n"


class Piece(NamedTuple):
    """A stretch of literal text, or the name of a field."""

    text: str
    is_field: bool


@lru_cache(maxsize=256)
def parse_template(template: str) -> tuple[Piece, ...]:
    """Split a template into literal text and field names; anything but the rule is an error with its position."""
    pieces: list[Piece] = []
    literal: list[str] = []
    position = 0
    while position < len(template):
        char = template[position]
        if char not in "{}":
            literal.append(char)
            position += 1
        elif template[position : position + 2] == char * 2:
            literal.append(char)
            position += 2
        elif char == "}":
            raise _template_error("a lone '}' in the prompt template", template, position)
        else:
            end = template.find("}", position)
            name = template[position + 1 : end]
            if end < 0 or not name or "{" in name:
                raise _template_error("a '{' that opens no field name in the prompt template", template, position)
            pieces.extend([Piece("".join(literal), is_field=False), Piece(name, is_field=True)])
            literal.clear()
            position = end + 1
    pieces.append(Piece("".join(literal), is_field=False))
    return tuple(piece for piece in pieces if piece.text)


def _template_error(what: str, template: str, position: int) -> RenderingError:
    return RenderingError(
        what,
        place=f"character {position + 1}",
        got=repr(template[position : position + 30]),
        expected="{field}, {{ or }}",
    )


def render_prompt(axis: ResolvedAxis, item: CompiledItem) -> str:
    """The exact prompt of an item: demonstrations, then the template on its input."""
    return _render_demonstrations(axis) + _render(axis["prompt_template"], item["input"], item["item_id"])


def shared_prefix_text(axis: ResolvedAxis, item: CompiledItem) -> str | None:
    """The rendered prompt up to the end of the ``shared_prefix`` field's first substitution; ``None`` without one."""
    field = axis.get("shared_prefix")
    if field is None:
        return None
    pieces = parse_template(axis["prompt_template"])
    if Piece(field, is_field=True) not in pieces:
        raise RenderingError(
            "the shared prefix is no field of the prompt template", place=axis["axis"], got=repr(field)
        )
    head = pieces[: pieces.index(Piece(field, is_field=True)) + 1]
    return _render_demonstrations(axis) + _fill(head, item["input"], item["item_id"])


def candidate_texts(axis: ResolvedAxis, item: CompiledItem) -> list[tuple[str, str]]:
    """Each choice as (text, scored text): prefix and suffix are part of the exact scored continuation."""
    scoring = axis["scoring"]
    prefix, suffix = scoring["candidate_prefix"], scoring["candidate_suffix"]
    return [(text, f"{prefix}{text}{suffix}") for text in item.get("choices", [])]


def _render_demonstrations(axis: ResolvedAxis) -> str:
    scoring = axis["scoring"]
    separator = axis["harness"]["task_config"].get("demonstration_separator", DEFAULT_SEPARATOR)
    if not isinstance(separator, str):
        raise RenderingError(
            "the demonstration separator is no text",
            place=f"{axis['axis']}.{axis['language']}: harness.task_config.demonstration_separator",
            got=repr(separator),
        )
    return "".join(
        _render(axis["prompt_template"], demonstration["input"], f"demonstration {number}")
        + scoring["candidate_prefix"]
        + demonstration["answer"]
        + scoring["candidate_suffix"]
        + separator
        for number, demonstration in enumerate(axis["demonstrations"], start=1)
    )


def _render(template: str, fields: Mapping[str, object], place: str) -> str:
    return _fill(parse_template(template), fields, place)


def _fill(pieces: tuple[Piece, ...], fields: Mapping[str, object], place: str) -> str:
    return "".join(_field(fields, piece.text, place) if piece.is_field else piece.text for piece in pieces)


def _field(fields: Mapping[str, object], name: str, place: str) -> str:
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise RenderingError(
        f"the prompt template asks for the field {name!r}",
        place=place,
        got="no such field" if name not in fields else f"a value that is no text ({type(value).__name__})",
        expected=f"one of {', '.join(sorted(fields))}" if fields else "an input with fields",
        hint="Write {{ and }} for braces",
    )
