"""Any value of this room as plain data, for ``--json``: field names as keys, what is unknown as ``null``."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from benchproof.analysis import Contrast, describe_contrast


def describe(value: Any) -> Any:
    """Dataclasses and mappings as dicts, sequences as lists, enumerations as their values; the rest as it is."""
    if isinstance(value, Contrast):
        return describe_contrast(value)
    if is_dataclass(value) and not isinstance(value, type):
        described = {field.name: describe(getattr(value, field.name)) for field in fields(value)}
        if isinstance(getattr(type(value), "ok", None), property):
            described["ok"] = value.ok  # type: ignore[attr-defined]
        return described
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): describe(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [describe(one) for one in value]
    return value
