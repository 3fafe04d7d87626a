"""The source files that a sheet's scorer is made of: what its digest is of, and what a packed proof carries."""

from benchproof.scores.errors import ScoresError
from benchproof.scores.imported_rules import IMPORTED_RULES
from benchproof.scores.imported_sheet import IMPORT, list_rule_sources
from benchproof.scores.scorers import find_scorer, read_source_files


def read_sources(slug: str) -> dict[str, bytes]:
    """Every source file of the scorer that a sheet names so, by path below the package."""
    if not slug.startswith(IMPORT):
        return read_source_files(find_scorer(slug).sources)
    rule = slug.removeprefix(IMPORT)
    if rule not in IMPORTED_RULES:
        raise ScoresError("there is no such rule of imported logs", got=repr(slug))
    return read_source_files(list_rule_sources(rule))
