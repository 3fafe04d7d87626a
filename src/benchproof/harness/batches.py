"""Items in the order in which they are asked, in batches that share their passage text."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from benchproof.archive import IdTable, shared_prefix_text
from benchproof.harness.data_rows import BuiltRows
from benchproof.records.bench import CompiledItem, ResolvedAxis

_NAME_LENGTH = 32
"""Hex digits of a digest that tell two passages apart."""


def group_passages(axis: ResolvedAxis, items: Sequence[CompiledItem]) -> Iterable[CompiledItem]:
    """Items that begin with the same text one after another, wherever they stand; the texts in order of appearance.

    A model that computes a passage once for its questions keeps one at a time. The order changes no answer.
    """
    if "shared_prefix" not in axis:
        return items
    passages, ranks = IdTable(), array("I")
    for item in items:
        prefix = shared_prefix_text(axis, item) or ""
        name = sha256(prefix.encode("utf-8", "surrogatepass")).hexdigest()[:_NAME_LENGTH]
        ranks.append(passages.enter(name))
    order = _order_by_rank(ranks, len(passages))
    return items.arrange(order) if isinstance(items, BuiltRows) else (items[index] for index in order)


def _order_by_rank(ranks: "array[int]", count: int) -> "array[int]":
    """The places of ``ranks`` by rank, those of one rank in their order; ``count`` ranks there are."""
    starts = array("I", bytes(4 * (count + 1)))
    for rank in ranks:
        starts[rank + 1] += 1
    for rank in range(count):
        starts[rank + 1] += starts[rank]
    order = array("I", bytes(4 * len(ranks)))
    for place, rank in enumerate(ranks):
        order[starts[rank]] = place
        starts[rank] += 1
    return order


def form_batches(axis: ResolvedAxis, items: Iterable[CompiledItem], limit: int) -> Iterator[list[CompiledItem]]:
    """Consecutive items with one shared prefix, at most ``limit`` a batch.

    A batch is what a stop can lose: with 1 no finished answer is ever asked again.
    """
    batch: list[CompiledItem] = []
    prefix: str | None = None
    for item in items:
        own = shared_prefix_text(axis, item) if limit > 1 else None
        if batch and (len(batch) == limit or own != prefix):
            yield batch
            batch = []
        batch.append(item)
        prefix = own
    if batch:
        yield batch
