"""How a number was obtained and what it may stand beside: settings, comparable groups, tables."""

from benchproof.results.catalogue import describe_flag, find_direction, list_hard_keys, load_catalogue
from benchproof.results.comparability import (
    Group,
    KeyDifference,
    Measured,
    Standing,
    differing_keys,
    find_standing,
    group_of,
    is_comparable,
)
from benchproof.results.errors import ResultsError, RowsError, SettingError, TableError
from benchproof.results.settings import setting_of

__all__ = [
    "Group",
    "KeyDifference",
    "Measured",
    "ResultsError",
    "RowsError",
    "SettingError",
    "Standing",
    "TableError",
    "describe_flag",
    "differing_keys",
    "find_direction",
    "find_standing",
    "group_of",
    "is_comparable",
    "list_hard_keys",
    "load_catalogue",
    "setting_of",
]
