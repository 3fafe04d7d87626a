"""The words above a table: its title, the setting that all of it shares, what tells one group from another."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from benchproof.results.figures import show_value
from benchproof.results.table_parts import Block, Section, Table

Shorten = Callable[[str], str]

_DIGEST = re.compile(r"\b[0-9a-f]{12,64}\b")
_SHORTEST = 4
_SAID_ONLY_WHERE_UNLIKE = frozenset({"data"})


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
    parts = [
        shorten(_write_key(key, values))
        for key, values in section.common.items()
        if values and key not in _SAID_ONLY_WHERE_UNLIKE
    ]
    return "setting: " + ", ".join(parts) if parts else "setting: see each group"


def write_block_title(section: Section, block: Block, shorten: Shorten) -> str:
    """The keys that tell this block from the others; ``model`` where there is only one block."""
    parts = [shorten(f"{key} {_write_values(block.keys[key])}") for key in section.differing if key in block.keys] or [
        "model"
    ]
    return ", ".join(parts) + (" (synthetic controls)" if block.is_synthetic else "")


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
