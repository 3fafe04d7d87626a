"""Blocks of a table: which runs stand together, and which line of a block each number is on.

Laws: within a block, a column (one language) holds one comparable group; an older run of the same model and setting
is kept apart and counted, never dropped.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from benchproof.results.catalogue import Direction, order_keys
from benchproof.results.comparability import group_of, value_of
from benchproof.results.errors import TableError
from benchproof.results.ranking import rank_column
from benchproof.results.rows import Row
from benchproof.results.slices import ALL, place_slice
from benchproof.results.table_parts import Block, Cell, Line, Rank

Columns = Mapping[str, Row]
"""Language → the number that is shown."""


def part_runs(rows: Iterable[Row]) -> list[list[Row]]:
    """Runs into blocks: a run joins the first block with which it is alike in every language that both have.

    Runs with more languages come first, so that a block does not depend on the order of rows.
    """
    runs: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        runs[row.source].append(row)
    order = sorted(runs, key=lambda source: (-len({row.language for row in runs[source]}), source))
    blocks: list[tuple[dict[str, tuple[tuple[str, str], ...]], list[Row]]] = []
    for source in order:
        groups = {row.language: group_of(row).keys for row in runs[source]}
        for known, members in blocks:
            if all(known.get(language, keys) == keys for language, keys in groups.items()):
                known.update(groups)
                members.extend(runs[source])
                break
        else:
            blocks.append((groups, list(runs[source])))
    return [members for _, members in blocks]


def build_block(
    rows: Sequence[Row], slices: Sequence[Row], *, direction: Direction, rank: bool, every_run: bool
) -> Block:
    """The lines of one block, by place where there are ranks, then by name.

    In each language a line shows the newest of the fullest runs.
    """
    shown, older = _choose_newest(rows, every_run=every_run)
    ranks = _rank_languages(shown, direction) if rank else {}
    languages = sorted({language for columns in shown for language in columns})
    shown.sort(key=lambda columns: [_find_place(columns, language, ranks) for language in languages])
    parts: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for part in slices:
        parts[part.source, part.language].append(part)
    lines: list[Line] = []
    is_mixed = len({row.synthetic for columns in shown for row in columns.values()}) > 1
    for columns, note in zip(shown, _tell_apart(shown), strict=True):
        if is_mixed and _first(columns).synthetic:
            note = ", ".join(word for word in ("synthetic", note) if word)  # noqa: PLW2901
        cells = {language: Cell(row, ranks.get((row.source, language))) for language, row in columns.items()}
        lines.append(_make_line(cells, note, ALL))
        lines.extend(_list_slices(columns, parts))
    return Block(_list_keys(rows), tuple(lines), tuple(older))


def _choose_newest(rows: Sequence[Row], *, every_run: bool) -> tuple[list[Columns], list[Row]]:
    lines: dict[tuple[str, ...], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        key = (row.model, row.model_id, *_list_soft(row), row.source if every_run else "")
        lines[key][row.language].append(row)
    shown: list[Columns] = []
    older: list[Row] = []
    for _, found in sorted(lines.items()):
        columns: dict[str, Row] = {}
        for language, repeats in sorted(found.items()):
            # A run that lacks items never hides one that has them, whichever is newer.
            repeats.sort(key=lambda row: (row.denominator, row.date, row.source), reverse=True)
            _refuse_clash(repeats)
            columns[language] = repeats[0]
            older.extend(repeats[1:])
        shown.append(columns)
    return shown, older


def _refuse_clash(repeats: Sequence[Row]) -> None:
    for row, other in pairwise(repeats):
        if row.source == other.source:
            raise TableError(
                "one run has two numbers for one place of the table",
                place=f"{row.source}, {row.axis}.{row.language}",
                got=f"{row.tag}, {other.tag}",
                expected="one number a run, axis, language, metric and slice",
                hint="Hand in the rows of one score sheet a run",
            )


def _rank_languages(lines: Sequence[Columns], direction: Direction) -> dict[tuple[str, str], Rank]:
    ranks: dict[tuple[str, str], Rank] = {}
    for language in sorted({language for columns in lines for language in columns}):
        column = [columns[language] for columns in lines if language in columns]
        ranks.update({(source, language): rank for source, rank in rank_column(column, direction).items()})
    return ranks


def _find_place(columns: Columns, language: str, ranks: Mapping[tuple[str, str], Rank]) -> int:
    """The place of a line in one column; without a rank, behind all that have one."""
    found = ranks.get((columns[language].source, language)) if language in columns else None
    return found.place if found else len(ranks) + 1


def _list_soft(row: Row) -> tuple[str, ...]:
    """What else was set: lines are apart where a soft key differs, and may be ranked all the same."""
    return tuple(f"{key} {row.setting[key]}" for key in order_keys(set(row.setting) - set(row.hard_keys)))


def _tell_apart(lines: Sequence[Columns]) -> list[str]:
    """For lines with the same name, what differs: soft keys, the model's identity, at last the run."""
    firsts = [_first(columns) for columns in lines]
    named: dict[str, list[Row]] = defaultdict(list)
    for row in firsts:
        named[row.model].append(row)
    return [_describe_twin(row, named[row.model]) for row in firsts]


def _describe_twin(row: Row, twins: Sequence[Row]) -> str:
    if len(twins) == 1:
        return ""
    shared = set.intersection(*(set(_list_soft(twin)) for twin in twins))
    own = [value for value in _list_soft(row) if value not in shared]
    if len({twin.model_id for twin in twins}) > 1:
        own.append(row.model_id)
    if sum((_list_soft(twin), twin.model_id) == (_list_soft(row), row.model_id) for twin in twins) > 1:
        own.append(f"run {row.source}")
    return ", ".join(own)


def _list_slices(columns: Columns, parts: Mapping[tuple[str, str], Sequence[Row]]) -> list[Line]:
    """The slices of exactly the runs that a line shows."""
    found: dict[str, dict[str, Cell]] = defaultdict(dict)
    for language, row in columns.items():
        for part in parts.get((row.source, language), ()):
            found[part.slice][language] = Cell(part)
    return [_make_line(found[name], "", name) for name in sorted(found, key=place_slice)]


def _make_line(cells: Mapping[str, Cell], note: str, part: str) -> Line:
    first = next(iter(cells.values())).row
    return Line(first.model, note, part, first.synthetic, cells)


def _list_keys(rows: Iterable[Row]) -> dict[str, dict[str, str]]:
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    for row in sorted(rows, key=lambda row: row.language):
        for key in row.hard_keys:
            keys[key][row.language] = value_of(row, key)
    return dict(keys)


def _first(columns: Columns) -> Row:
    return next(iter(columns.values()))
