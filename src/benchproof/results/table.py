"""Tables: like numbers side by side, unlike ones apart (contract-results §7; contract-product, promises).

A section is one benchmark version, metric and data set; for a draft, of one digest of its bench. In it each column is
a language. Blocks, lines and ranks keep the laws of ``blocks.py`` and ``ranking.py``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from benchproof.results.blocks import build_block, part_runs
from benchproof.results.catalogue import find_direction, order_keys
from benchproof.results.rows import Row
from benchproof.results.slices import ALL
from benchproof.results.table_parts import Block, Section, Table


def build_table(
    rows: Iterable[Row],
    *,
    rank: bool = False,
    registers: bool = False,
    every_run: bool = False,
    compared_with: int | None = None,
) -> Table:
    """Arrange rows so that only like numbers share a column of a block.

    Args:
        rows: Numbers from any source, in any order; the order does not show.
        rank: Give places inside each column of each block.
        registers: Show the slices too, under their model.
        every_run: Give older runs of the same model and setting lines of their own.
        compared_with: How many digests from outside the evidence was compared with.
    """
    found: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[row.benchmark, row.axis, row.metric, row.dataset, row.draft_digest or ""].append(row)
    sections = [
        _build_section(found[key], rank=rank, registers=registers, every_run=every_run) for key in sorted(found)
    ]
    return Table(tuple(sections), ranked=rank, compared_with=compared_with)


def _build_section(rows: Sequence[Row], *, rank: bool, registers: bool, every_run: bool) -> Section:
    first = rows[0]
    direction = find_direction(first.metric)
    headline = [row for row in rows if row.slice == ALL]
    slices = [row for row in rows if row.slice != ALL] if registers else []
    blocks = [
        build_block(runs, slices, direction=direction, rank=rank, every_run=every_run) for runs in part_runs(headline)
    ]
    names = order_keys({key for block in blocks for key in block.keys})
    merged = {key: _merge_values([block.keys.get(key, {}) for block in blocks]) for key in names}
    common = {key: values for key, values in merged.items() if values is not None}
    return Section(
        benchmark=first.benchmark,
        axis=first.axis,
        dataset=first.dataset,
        metric=first.metric,
        draft_digest=first.draft_digest,
        direction=direction,
        languages=tuple(sorted({row.language for row in headline})),
        common=common,
        differing=tuple(key for key in names if key not in common),
        blocks=tuple(sorted(blocks, key=lambda block: _order_block(block, names))),
        hidden_slices=0 if registers else len(rows) - len(headline),
    )


def _merge_values(maps: Sequence[Mapping[str, str]]) -> dict[str, str] | None:
    """One map of language → value, or ``None`` where two blocks disagree in a language."""
    merged: dict[str, str] = {}
    for values in maps:
        for language, value in values.items():
            if merged.setdefault(language, value) != value:
                return None
    return merged


def _order_block(block: Block, names: Sequence[str]) -> tuple[object, ...]:
    """Real models first, then what is fully known, then by the keys' values."""
    values = tuple(tuple(sorted(block.keys.get(name, {}).items())) for name in names)
    return (block.is_synthetic, bool(block.unknown), values)
