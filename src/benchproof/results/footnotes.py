"""The words beneath a table. Nothing is left out silently.

Two lengths of the same: whole (``write_notes``), with every tag, method and soft setting; and short
(``write_short_notes``), which counts where many numbers are meant, for a screen on which the table stands.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from benchproof.results.catalogue import describe_flag, order_keys
from benchproof.results.figures import count_things, show_interval
from benchproof.results.headings import Shorten
from benchproof.results.methods import write_families, write_intervals
from benchproof.results.rows import Row
from benchproof.results.table_parts import Block, Section, Table

_HOW_TO_CONTRAST = "`benchproof compare` contrasts two runs"

MOST_NAMED = 3
"""Tags that a short note names; where there are more it counts them."""


def write_notes(section: Section, table: Table, shorten: Shorten) -> list[str]:
    """All that there is to say, a line an element."""
    rows = [cell.row for cell in section.list_cells()]
    most = len(rows)
    lines = [
        _join(write_intervals(rows), write_proofs(rows)),
        *_write_flags(rows, most),
        *_write_missing_intervals(rows, most),
        _write_unscored(rows, most),
        _write_ties(rows, most),
        _write_also([cell.row for cell in section.list_cells(slices=False)]),
        _write_soft(rows, shorten),
        *(_name_older(block) for block in section.blocks if block.older),
        _write_hidden(section),
        *_write_unranked(section, table),
    ]
    return [f"{line}." for line in lines if line]


def write_short_notes(section: Section, table: Table, shorten: Shorten) -> list[str]:
    """What a reader of the screen must know, a paragraph an element."""
    rows = [cell.row for cell in section.list_cells()]
    missing = [*_write_missing_intervals(rows, MOST_NAMED), _write_unscored(rows, MOST_NAMED)]
    paragraphs = [
        _join(write_families(rows), write_proofs(rows)),
        _count_flags(rows),
        _join(*missing, _write_bounds(rows, MOST_NAMED), _write_ties(rows, MOST_NAMED)),
        _join(*(_write_unlike(block, shorten) for block in section.blocks)),
        _join(_count_older(section), _write_hidden(section)),
        _join(*_write_unranked(section, table)),
    ]
    return [f"{paragraph}." for paragraph in paragraphs if paragraph]


def write_proofs(rows: Sequence[Row]) -> str:
    """``proof: all recomputed``, or how many numbers stand on each rung."""
    rungs = Counter(row.proof for row in rows)
    if not rungs:
        return ""
    if len(rungs) == 1:
        return f"proof: all {next(iter(rungs))}"
    return "proof: " + ", ".join(f"{count} {rung}" for rung, count in sorted(rungs.items()))


def _join(*sentences: str) -> str:
    return ". ".join(sentence for sentence in sentences if sentence)


def list_flags(rows: Iterable[Row]) -> list[str]:
    """The flags that stand at some number, by name."""
    return sorted({flag for row in rows for flag in row.flags})


def _write_flags(rows: Sequence[Row], most: int) -> list[str]:
    return [f"{flag} ({describe_flag(flag)}): {_count_flagged(flag, rows, most)}" for flag in list_flags(rows)]


def _count_flags(rows: Sequence[Row]) -> str:
    """Each flag with how many numbers have it, and which where they are few; ``explain_flags`` says what they mean."""
    told = [f"{flag} on {_count_flagged(flag, rows, MOST_NAMED)}" for flag in list_flags(rows)]
    return f"flags: {'; '.join(told)}" if told else ""


def _count_flagged(flag: str, rows: Sequence[Row], most: int) -> str:
    """How many numbers have a flag, and which; those without it where they are fewer."""
    flagged = [row.tag for row in rows if flag in row.flags]
    others = [row.tag for row in rows if flag not in row.flags]
    if not others:
        return "every number"
    said = f"{len(flagged)} of {count_things(len(rows), 'number')}"
    if len(flagged) <= min(most, len(others)):
        return f"{said}: {', '.join(flagged)}"
    return f"{said}, all but {', '.join(others)}" if len(others) <= most else said


def _write_missing_intervals(rows: Sequence[Row], most: int) -> list[str]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.interval is None:
            found[row.method.removeprefix("no interval: ")].append(row.tag)
    return [f"No interval ({reason}): {_name_or_count(tags, most)}" for reason, tags in sorted(found.items())]


def _name_or_count(tags: Sequence[str], most: int) -> str:
    return ", ".join(tags) if len(tags) <= most else count_things(len(tags), "number")


def _write_unscored(rows: Sequence[Row], most: int) -> str:
    found = {row.tag: {reason: count for reason, count in row.excluded.items() if count} for row in rows}
    found = {tag: reasons for tag, reasons in found.items() if reasons}
    if not found:
        return ""
    if len(found) <= most:
        return "Not scored: " + "; ".join(f"{tag} {_write_counts(reasons)}" for tag, reasons in found.items())
    total = sum((Counter(reasons) for reasons in found.values()), Counter[str]())
    return f"Not scored: {_write_counts(total)}, in {count_things(len(found), 'number')}"


def _write_bounds(rows: Sequence[Row], most: int) -> str:
    """What each number that lacks items would be if those were all wrong, all right."""
    found = {
        row.tag: show_interval((other["interval"][0], other["interval"][1]), row.unit)
        for row in rows
        for other in row.also
        if other["method"].startswith("value if the ")
    }
    if not found:
        return ""
    named = ", ".join(f"{tag} {ends}" for tag, ends in list(found.items())[:most])
    more = f" and {count_things(len(found) - most, 'other')}" if len(found) > most else ""
    return f"If what is missing were all wrong, all right: {named}{more}"


def _write_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))


def _write_ties(rows: Sequence[Row], most: int) -> str:
    found = {row.tag: row.ties for row in rows if row.ties}
    if not found:
        return ""
    named = ", ".join(f"{tag} {count}" for tag, count in found.items())
    counted = f"{sum(found.values())} in {count_things(len(found), 'number')}"
    return f"Ties, counted as the first of the tied: {named if len(found) <= most else counted}"


def _write_also(rows: Sequence[Row]) -> str:
    """Intervals by other methods; where one prints as the headline does, it is not printed again."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        for other in row.also:
            ends = show_interval((other["interval"][0], other["interval"][1]), row.unit)
            same = ends == show_interval(row.interval, row.unit)
            found[other["method"]][row.tag] = "the same" if same else ends
    return "; ".join(f"By {method}: {_write_ends(ends)}" for method, ends in sorted(found.items()))


def _write_ends(ends: Mapping[str, str]) -> str:
    same = sum(text == "the same" for text in ends.values())
    parts = [f"{tag} {text}" for tag, text in ends.items() if text != "the same"]
    if same:
        parts.append(f"the same to the digits printed for {count_things(same, 'number')}")
    return ", ".join(parts)


def _write_soft(rows: Sequence[Row], shorten: Shorten) -> str:
    parts = [f"{key} {' | '.join(values)}" for key, values in _list_soft(rows, shorten).items()]
    return f"Also recorded, not part of what makes a group: {'; '.join(parts)}" if parts else ""


def _write_unlike(block: Block, shorten: Shorten) -> str:
    """The soft settings in which numbers of one group differ."""
    rows = [cell.row for line in block.lines for cell in line.cells.values()]
    unlike = {key: values for key, values in _list_soft(rows, shorten).items() if len(values) > 1}
    parts = [f"{key} {' | '.join(values)}" for key, values in unlike.items()]
    return f"Differs inside a group: {'; '.join(parts)}" if parts else ""


def _list_soft(rows: Sequence[Row], shorten: Shorten) -> dict[str, list[str]]:
    values: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for key in set(row.setting) - set(row.hard_keys):
            values[key].add(shorten(str(row.setting[key])))
    return {key: sorted(values[key]) for key in order_keys(values)}


def _name_older(block: Block) -> str:
    runs = sorted({(row.date, row.source, row.model) for row in block.older}, reverse=True)
    named = ", ".join(f"{source} ({model}, {date[:10]})" for date, source, model in runs)
    return f"{count_things(len(runs), 'run')} not shown, older or of fewer items: {named}"


def _count_older(section: Section) -> str:
    runs = {row.source for block in section.blocks for row in block.older}
    return f"{count_things(len(runs), 'run')} not shown, older or of fewer items (--every-run)" if runs else ""


def _write_hidden(section: Section) -> str:
    if not section.hidden_slices:
        return ""
    return f"{count_things(section.hidden_slices, 'number')} by register not shown (--registers)"


def _write_unranked(section: Section, table: Table) -> list[str]:
    """Which numbers have no place among others, and why.

    Where nobody asked for ranks, only what the groups' titles leave open: groups of two models stand apart, and what is
    unknown equals nothing. That a control is not ranked with a model goes without saying.
    """
    lines = []
    differing = ", ".join(section.differing)
    real = [block for block in section.blocks if not block.is_synthetic]
    if differing and table.ranked:
        lines.append(f"Not ranked across groups: they differ in {differing}. {_HOW_TO_CONTRAST}")
    elif differing and len(real) > 1:
        lines.append(f"Not comparable across groups: they differ in {differing}. {_HOW_TO_CONTRAST}")
    unknown = ", ".join(order_keys({key for block in section.blocks for key in block.unknown}))
    if unknown:
        lines.append(f"{'Not ranked' if table.ranked else 'Comparable with no other'} where {unknown} is unknown")
    lacking = [cell.row.tag for cell in section.list_cells(slices=False) if not cell.row.is_complete]
    if table.ranked and lacking:
        lines.append(f"Not ranked, for want of items: {_name_or_count(lacking, MOST_NAMED)}")
    if table.ranked and section.direction == "unknown":
        lines.append(f"Not ranked: no rule says whether a higher {section.metric} is better")
    return lines
