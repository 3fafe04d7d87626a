"""Rows of a frame, each with about how many bytes it holds, so that batches are cut before they grow large."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from benchproof.archive import SealedRun
from benchproof.results import label_model

MOST_ROWS = 16_384
MOST_BYTES = 32 * 2**20
"""Of one batch: whichever is reached first ends it."""


class SizedRow(NamedTuple):
    """Values by column; ``size`` in bytes of the lines that it was made from."""

    values: Mapping[str, Any]
    size: int


def cut_batches(
    rows: Iterable[SizedRow], *, most_rows: int = MOST_ROWS, most_bytes: int = MOST_BYTES
) -> Iterator[list[Mapping[str, Any]]]:
    """Rows in lists of at most ``most_rows``, each ended by the row that reaches ``most_bytes``."""
    batch: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        batch.append(row.values)
        size += row.size
        if len(batch) >= most_rows or size >= most_bytes:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def state_run(run: SealedRun) -> dict[str, Any]:
    """The columns that every row of a run has in common."""
    manifest = run.manifest
    return {
        "run": run.id,
        "run_sha256": run.sha256,
        "model": label_model(manifest["model"]),
        "synthetic": manifest["synthetic"],
        "bench": manifest["bench"].get("name"),
    }
