"""Items in the order in which they are asked, in batches that share their passage text."""

from collections.abc import Iterable, Iterator

from benchproof.archive import shared_prefix_text
from benchproof.records.bench import CompiledItem, ResolvedAxis


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
