"""The words around a table: title, setting, and what stands beneath it, the same for text and Markdown.

Nothing is left out silently: numbers without an interval, items that were not scored, ties, older runs, slices and
the keys that forbid a ranking are each said.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from benchproof.results.catalogue import describe_flag, order_keys
from benchproof.results.figures import NOTHING, count_things, show_interval, show_level, show_value
from benchproof.results.rows import Row
from benchproof.results.table_parts import Block, Section, Table

Shorten = Callable[[str], str]

_DIGEST = re.compile(r"\b[0-9a-f]{12,64}\b")
_NUMBER = re.compile(r"(?<![A-Za-z0-9.])[0-9]+(?:\.[0-9]+)?")
_SHORTEST = 4
_WIDTH = 120


def make_shortener(table: Table) -> Shorten:
    """A function that cuts digests to as few characters (4 at least) as tell all of the table's apart."""
    texts = {
        str(value) for section in table.sections for cell in section.list_cells() for value in cell.row.setting.values()
    }
    digests = {found for text in texts for found in _DIGEST.findall(text)}
    keep = _SHORTEST
    while keep < 64 and len({digest[:keep] for digest in digests}) < len(digests):
        keep += 1
    return lambda text: _DIGEST.sub(lambda match: match.group()[:keep], text)


def write_title(section: Section, *, name_digest: bool) -> str:
    """Benchmark version, axis, metric, direction, chance; drafts are called so, by digest where there are several."""
    slug, _, version = section.benchmark.rpartition("@")
    name = (slug or section.benchmark).removesuffix(f"/{section.axis}")
    draft = ""
    if section.draft_digest is not None:
        draft = f" (draft {section.draft_digest[:12]})" if name_digest else " (draft)"
    head = f"{name} {version}{draft}" if slug else f"{section.benchmark}{draft}"
    return f"{head} · {section.axis} · {section.metric}, {_write_direction(section)}{_write_chance(section)}"


def list_repeated_drafts(table: Table) -> set[tuple[str, str, str]]:
    """What is in the table under more than one digest of its bench."""
    seen = Counter((section.benchmark, section.axis, section.metric) for section in table.sections)
    return {key for key, count in seen.items() if count > 1}


def write_setting(section: Section, shorten: Shorten) -> str:
    """The hard keys in which all blocks agree."""
    parts = [shorten(_write_key(key, values)) for key, values in section.common.items() if values]
    return "setting: " + ", ".join(parts) if parts else "setting: see each group"


def write_block_title(section: Section, block: Block, shorten: Shorten) -> str:
    """The keys that tell this block from the others; ``model`` where there is only one block."""
    parts = [shorten(f"{key} {_write_values(block.keys[key])}") for key in section.differing if key in block.keys] or [
        "model"
    ]
    return ", ".join(parts) + (" (synthetic controls)" if block.is_synthetic else "")


def write_footer(section: Section, table: Table, shorten: Shorten) -> list[str]:
    """What stands beneath a section, one line an element."""
    rows = [cell.row for cell in section.list_cells()]
    lines = [
        *_fill_lines([part for part in (_write_intervals(rows), write_proofs(rows), *_write_flags(rows)) if part]),
        _write_missing_intervals(rows),
        _write_unscored(rows),
        _write_ties(rows),
        _write_also([cell.row for cell in section.list_cells(slices=False)]),
        _write_soft(rows, shorten),
        *(_write_older(block) for block in section.blocks if block.older),
        _write_hidden(section),
        *_write_unranked(section, table),
    ]
    return [line for line in lines if line]


def write_proofs(rows: Sequence[Row]) -> str:
    """``proof: all recomputed``, or how many numbers stand on each rung."""
    rungs = Counter(row.proof for row in rows)
    if not rungs:
        return ""
    if len(rungs) == 1:
        return f"proof: all {next(iter(rungs))}"
    return "proof: " + ", ".join(f"{count} {rung}" for rung, count in sorted(rungs.items()))


def _fill_lines(sentences: Sequence[str]) -> list[str]:
    """Sentences one after another, a new line where one would end beyond ``_WIDTH``."""
    lines = [""]
    for sentence in sentences:
        if lines[-1] and len(lines[-1]) + len(sentence) + 2 > _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {sentence}.".lstrip()
    return lines


def _write_direction(section: Section) -> str:
    return "direction unknown" if section.direction == "unknown" else f"{section.direction} is better"


def _write_chance(section: Section) -> str:
    levels: dict[str, set[str]] = defaultdict(set)
    for cell in section.list_cells(slices=False):
        if cell.row.chance is not None:
            levels[cell.row.language].add(show_value(cell.row.chance, cell.row.unit))
    values = {language: " or ".join(sorted(found)) for language, found in sorted(levels.items())}
    return f", chance {_write_values(values)}" if values else ""


def _write_key(key: str, values: Mapping[str, str]) -> str:
    if key == "shots":
        return _write_values({language: f"{value}-shot" for language, value in values.items()})
    return f"{key.replace('_', ' ')} {_write_values(values)}"


def _write_values(values: Mapping[str, str]) -> str:
    """One value, or each with its languages."""
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return ", ".join(f"{value} ({language})" for language, value in values.items())


def _write_intervals(rows: Sequence[Row]) -> str:
    """Level, method and clusters; figures that vary from cell to cell are given as ranges."""
    found: dict[tuple[float, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row.interval is not None:
            noun = "item" if row.clusters == row.denominator else "cluster"
            found[row.level, _NUMBER.sub("#", row.method), noun].append(row)
    methods = []
    told: float | None = None
    for (level, _, noun), members in sorted(found.items()):
        clusters = [row.clusters for row in members]
        share = f" ({count_things(len(members), 'cell')})" if len(found) > 1 else ""
        things = noun if set(clusters) == {1} else f"{noun}s"
        head = "" if level == told else f"{show_level(level)}, "
        told = level
        methods.append(f"{head}{_write_method(members)}, {_write_range(clusters)} {things}{share}")
    return "intervals: " + "; ".join(methods) if methods else ""


def _write_method(rows: Sequence[Row]) -> str:
    """A method that all rows share but for its figures."""
    columns = zip(*(map(float, _NUMBER.findall(row.method)) for row in rows), strict=True)
    ranges = iter([_write_range(column) for column in columns])
    return _NUMBER.sub(lambda _: next(ranges), rows[0].method).replace(", t(", " t(")


def _write_range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.4g}", f"{max(values):.4g}"
    return low if low == high else f"{low}{NOTHING}{high}"


def _write_flags(rows: Sequence[Row]) -> list[str]:
    flags = sorted({flag for row in rows for flag in row.flags})
    return [_write_flag(flag, [row for row in rows if flag in row.flags], rows) for flag in flags]


def _write_flag(flag: str, rows: Sequence[Row], cells: Sequence[Row]) -> str:
    """The cells with a flag, or those without it where they are fewer."""
    meaning = describe_flag(flag)
    told = f" ({meaning})" if meaning else ""
    if len(rows) == len(cells):
        return f"{flag}: every cell{told}"
    flagged = {row.tag for row in rows}
    if 2 * len(rows) > len(cells):
        others = [row.tag for row in cells if row.tag not in flagged]
        return f"{flag}: {len(rows)} of {len(cells)} cells{told}, all but {', '.join(others)}"
    return f"{flag}: {len(rows)} of {len(cells)} cells{told}: {', '.join(row.tag for row in rows)}"


def _write_missing_intervals(rows: Sequence[Row]) -> str:
    found = [f"{row.tag} ({row.method.removeprefix('no interval: ')})" for row in rows if row.interval is None]
    return f"No interval: {', '.join(found)}." if found else ""


def _write_unscored(rows: Sequence[Row]) -> str:
    found = []
    for row in rows:
        reasons = [f"{count} {reason}" for reason, count in sorted(row.excluded.items()) if count]
        if reasons:
            found.append(f"{row.tag} {', '.join(reasons)}")
    return f"Not scored: {'; '.join(found)}." if found else ""


def _write_ties(rows: Sequence[Row]) -> str:
    found = [f"{row.tag} {row.ties}" for row in rows if row.ties]
    return f"Ties, counted as the first of the tied: {', '.join(found)}." if found else ""


def _write_also(rows: Sequence[Row]) -> str:
    """Intervals by other methods; where one prints as the headline does, it is not printed again."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        for other in row.also:
            ends = show_interval((other["interval"][0], other["interval"][1]), row.unit)
            same = ends == show_interval(row.interval, row.unit)
            found[other["method"]][row.tag] = "the same" if same else ends
    beside = "; ".join(f"{method}: {_write_ends(ends)}" for method, ends in sorted(found.items()))
    return f"Beside these intervals, {beside}." if beside else ""


def _write_ends(ends: Mapping[str, str]) -> str:
    same = sum(text == "the same" for text in ends.values())
    parts = [f"{tag} {text}" for tag, text in ends.items() if text != "the same"]
    if same:
        parts.append(f"the same to the digits printed in {count_things(same, 'cell')}")
    return ", ".join(parts)


def _write_soft(rows: Sequence[Row], shorten: Shorten) -> str:
    values: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for key in set(row.setting) - set(row.hard_keys):
            values[key].add(shorten(str(row.setting[key])))
    parts = [f"{key} {' | '.join(sorted(values[key]))}" for key in order_keys(values)]
    return f"Shown, deciding nothing: {'; '.join(parts)}." if parts else ""


def _write_older(block: Block) -> str:
    runs = sorted({(row.date, row.source, row.model) for row in block.older}, reverse=True)
    named = ", ".join(f"{source} ({model}, {date[:10]})" for date, source, model in runs)
    return f"{count_things(len(runs), 'older run')} not shown: {named}."


def _write_hidden(section: Section) -> str:
    if not section.hidden_slices:
        return ""
    return f"{count_things(section.hidden_slices, 'number')} by register not shown (--registers)."


def _write_unranked(section: Section, table: Table) -> list[str]:
    lines = []
    if section.differing:
        where = "Not ranked across groups: they" if table.ranked else "Not ranked: the groups"
        lines.append(f"{where} differ in {', '.join(section.differing)}. `compare` contrasts them.")
    unknown = order_keys({key for block in section.blocks for key in block.unknown})
    if unknown:
        lines.append(f"Not ranked where {', '.join(unknown)} is unknown.")
    if table.ranked and section.direction == "unknown":
        lines.append(f"Not ranked: no rule says whether a higher {section.metric} is better.")
    return lines
