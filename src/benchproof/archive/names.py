"""Axis keys, and the paths and digests that follow from them."""

from collections.abc import Iterable
from hashlib import sha256

from benchproof.archive.id_table import IdTable
from benchproof.canon import canonical
from benchproof.records.run import AxisOfRun

AXES = "attachments/axes"
ITEMS = "attachments/items"
TIMINGS = "attachments/timings.ndjson"


def axis_key_of(axis: AxisOfRun) -> str:
    """``<axis>.<language>``, which names an axis's files."""
    return f"{axis['axis']}.{axis['language']}"


def axis_path(axis_key: str) -> str:
    """The resolved axis."""
    return f"{AXES}/{axis_key}.json"


def items_path(axis_key: str) -> str:
    """The compiled items as run."""
    return f"{ITEMS}/{axis_key}.ndjson"


def raw_path(axis_key: str) -> str:
    """Exact model input and output, a line a call."""
    return f"raw/{axis_key}.ndjson"


def records_path(axis_key: str) -> str:
    """One record an item."""
    return f"records/{axis_key}.ndjson"


def files_of_axis(axis_key: str) -> frozenset[str]:
    """The four files that an axis is recomputed from."""
    return frozenset({axis_path(axis_key), items_path(axis_key), raw_path(axis_key), records_path(axis_key)})


IMPORTED = "imported"
"""The key of an axis' ``protocol`` that holds the digest of its imported axis."""


def is_imported(axis: AxisOfRun) -> bool:
    """Whether an axis was read from another harness' log; its records then are imported records."""
    return IMPORTED in axis["protocol"]


def files_of_imported_axis(axis_key: str) -> frozenset[str]:
    """The two files that stand for an imported axis, beside the log's own below ``raw/``."""
    return frozenset({axis_path(axis_key), records_path(axis_key)})


def digest_item_ids(item_ids: Iterable[str]) -> str:
    """SHA-256 of the canonical list of item ids, each once, sorted by Unicode code points; the list is not built."""
    table = item_ids if isinstance(item_ids, IdTable) else IdTable(item_ids)
    whole, before = sha256(b"["), b""
    for item_id in table.sort_texts():
        whole.update(before + canonical(item_id))
        before = b","
    whole.update(b"]")
    return whole.hexdigest()
