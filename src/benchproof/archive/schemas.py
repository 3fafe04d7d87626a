"""The normative shapes (``records/schemas``), applied offline. The validator is loaded at first use only."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from benchproof.archive.errors import RecordingError
from benchproof.canon import parse


class Misfit(NamedTuple):
    """One place where a document does not have its shape; ``pointer`` is a JSON Pointer."""

    pointer: str
    what: str


@cache
def load_schema(name: str) -> Mapping[str, Any]:
    """The schema of that name, such as ``run-manifest``."""
    text = files("benchproof.records").joinpath("schemas", f"{name}.schema.json").read_bytes()
    schema: Mapping[str, Any] = parse(text, place=f"{name}.schema.json")
    return schema


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(dict(load_schema(name)))


def find_misfits(name: str, document: Any) -> list[Misfit]:
    """Every place where a document departs from its schema, sorted."""
    validator = _validator(name)
    if has_shape(name, document):
        return []
    return sorted(
        Misfit("".join(f"/{part}" for part in error.instance_path), error.message.partition("\n")[0][:300])
        for error in validator.iter_errors(document)
    )


def has_shape(name: str, document: Any) -> bool:
    """Whether a document has the shape of its schema."""
    return bool(_validator(name).is_valid(document))


def check_raw_line(raw: Any, *, place: str) -> None:
    """Refuse a raw line that is not of its shape, such as one with a clock value in it."""
    misfits = find_misfits("raw-line", raw)
    if misfits:
        raise RecordingError(f"not a raw line: {misfits[0].what}", place=f"{place} {misfits[0].pointer or '/'}")
