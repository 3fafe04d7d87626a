"""Rules about the resolved axes and compiled items that a run is sealed with (contract-archive §6, §7)."""

from collections.abc import Iterator, Mapping

from benchproof.archive.errors import RenderingError
from benchproof.archive.id_table import IdTable
from benchproof.archive.names import IMPORTED, digest_item_ids
from benchproof.archive.rendering import parse_template, render_prompt
from benchproof.archive.schemas import find_misfits
from benchproof.canon import CanonError, canonical, parse_canonical, sha256_hex
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import AxisOfRun
from benchproof.rulebook import Finding


def a030_resolved_axis(place: str, data: bytes) -> Iterator[Finding]:
    """The resolved axis is canonical JSON of its shape."""
    try:
        axis = parse_canonical(data)
    except CanonError as error:
        yield Finding(place, "A030", f"not canonical JSON: {error.what}", got=error.got, expected=error.expected)
        return
    for misfit in find_misfits("resolved-axis", axis):
        yield Finding(f"{place} {misfit.pointer or '/'}", "A030", f"not a resolved axis: {misfit.what}")


def a031_axis_digest(place: str, data: bytes, stated: AxisOfRun) -> Iterator[Finding]:
    """The manifest's ``protocol.resolved`` is the digest of the resolved axis."""
    got = sha256_hex(data)
    expected = stated["protocol"].get("resolved", got)
    if got != expected:
        yield Finding(place, "A031", "not the axis that the manifest states", got=got, expected=expected)


def a032_axis_facts(place: str, axis: ResolvedAxis, stated: AxisOfRun) -> Iterator[Finding]:
    """What the manifest says of an axis is what the resolved axis says."""
    dataset: Mapping[str, object] = {**axis["dataset"], "digest": axis["dataset"]["sha256"]}
    pairs: list[tuple[str, object, object]] = [
        (key, stated[key], axis[key]) for key in ("axis", "language", "script", "benchmark", "metric")
    ]
    pairs += [(f"dataset.{key}", value, dataset[key]) for key, value in stated["dataset"].items() if key in dataset]
    for key, got, expected in pairs:
        if got != expected:
            yield Finding(place, "A032", f"the manifest states another {key}", got=repr(got), expected=repr(expected))


def a052_imported_axis(place: str, data: bytes, stated: AxisOfRun) -> Iterator[Finding]:
    """An imported axis is canonical JSON of its shape, the one whose digest the manifest states, and says the same."""
    got, expected = sha256_hex(data), stated["protocol"][IMPORTED]
    if got != expected:
        yield Finding(place, "A052", "not the axis that the manifest states", got=got, expected=expected)
    try:
        axis = parse_canonical(data)
    except CanonError as error:
        yield Finding(place, "A052", f"not canonical JSON: {error.what}", got=error.got, expected=error.expected)
        return
    misfits = find_misfits("imported-axis", axis)
    for misfit in misfits:
        yield Finding(f"{place} {misfit.pointer or '/'}", "A052", f"not an imported axis: {misfit.what}")
    if misfits:
        return
    pairs: list[tuple[str, object, object]] = [
        (key, stated[key], axis[key]) for key in ("axis", "language", "script", "benchmark", "metric", "dataset")
    ]
    pairs.append(("number of planned items", stated["items"]["planned"], axis["planned"]))
    for key, is_stated, is_there in pairs:
        if is_stated != is_there:
            yield Finding(
                place, "A052", f"the manifest states another {key}", got=repr(is_stated), expected=repr(is_there)
            )


def a033_item_line(place: str, line: bytes, item: object) -> Iterator[Finding]:
    """A line of the items is canonical JSON of its shape. A line that could not be parsed comes as its error."""
    if isinstance(item, CanonError):
        yield Finding(place, "A033", f"not JSON: {item.what}", got=item.got or item.place, expected=item.expected)
        return
    if canonical(item) != line:
        yield Finding(place, "A033", "not canonical JSON", got=line[:120].decode("utf-8", "replace"))
    for misfit in find_misfits("compiled-item", item):
        yield Finding(f"{place} {misfit.pointer or '/'}", "A033", f"not a compiled item: {misfit.what}")


def a034_item_of_axis(place: str, axis: ResolvedAxis, item: CompiledItem, *, is_new: bool) -> Iterator[Finding]:
    """An item has an id of its own, is its axis's, and its key is one of its choices."""
    if not is_new:
        yield Finding(place, "A034", "the item id stands twice", got=item["item_id"])
    for key in ("task", "language", "script"):
        if item[key] != axis[key]:
            yield Finding(place, "A034", f"the item is of another {key}", got=item[key], expected=axis[key])
    if axis["type"] == "choice":
        choices, index = item.get("choices", []), item.get("answer_index", -1)
        if not 0 <= index < len(choices):
            yield Finding(
                place, "A034", "the key is none of the choices", got=str(index), expected=f"0 to {len(choices) - 1}"
            )


def a035_planned_items(place: str, stated: AxisOfRun, item_ids: IdTable) -> Iterator[Finding]:
    """Number and digest of the planned items are those of the sealed items.

    The digest of a cut selection is of the recorded ids: A043 compares that.
    """
    if stated["items"]["planned"] != len(item_ids):
        yield Finding(
            place,
            "A035",
            "another number of items was planned",
            got=str(len(item_ids)),
            expected=str(stated["items"]["planned"]),
        )
    got = digest_item_ids(item_ids)
    if stated["items"]["selection"] != "cut" and got != stated["items"]["digest"]:
        yield Finding(place, "A035", "other items were planned", got=got, expected=stated["items"]["digest"])


def a047_template(place: str, axis: ResolvedAxis, item: CompiledItem | None) -> Iterator[Finding]:
    """The prompt template can be read, and renders each item."""
    try:
        parse_template(axis["prompt_template"])
        if item is not None:
            render_prompt(axis, item)
    except RenderingError as error:
        yield Finding(place, "A047", error.what, got=error.got, expected=error.expected)
