"""The catalogue of setting keys, metric directions and flags: ``catalogue.toml``, read once.

Which keys are hard depends on the metric and on whether the number comes from a sealed run, which always knows its
chat template and its items (contract-results §2 ``applies``, §3).
"""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Literal

Direction = Literal["higher", "lower", "unknown"]


@dataclass(frozen=True, slots=True)
class SettingKey:
    """One key of a setting; ``hard`` and ``hard_sealed`` are patterns of metrics."""

    name: str
    description: str
    hard: tuple[str, ...]
    hard_sealed: tuple[str, ...]

    def is_hard(self, metric: str, *, sealed: bool) -> bool:
        """Whether the key decides comparability of numbers of this metric."""
        patterns = self.hard + self.hard_sealed if sealed else self.hard
        return any(fnmatchcase(metric, pattern) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class MetricRow:
    """What is known of metrics whose name matches ``pattern``; ``tolerance`` is in the metric's unit."""

    pattern: str
    direction: Direction
    tolerance: float | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All of ``catalogue.toml``, in the file's order."""

    settings: tuple[SettingKey, ...]
    metrics: tuple[MetricRow, ...]
    flags: dict[str, str]


@cache
def load_catalogue() -> Catalogue:
    """The catalogue that ships with the package."""
    table = tomllib.loads((files(__package__) / "catalogue.toml").read_text(encoding="utf-8"))
    return Catalogue(
        settings=tuple(
            SettingKey(
                name=row["name"],
                description=row["description"],
                hard=tuple(row.get("hard", ())),
                hard_sealed=tuple(row.get("hard_sealed", ())),
            )
            for row in table["setting"]
        ),
        metrics=tuple(MetricRow(row["pattern"], row["direction"], row.get("tolerance")) for row in table["metric"]),
        flags={row["name"]: row["description"] for row in table["flag"]},
    )


def list_hard_keys(metric: str, *, sealed: bool, applies: Collection[str] = ()) -> tuple[str, ...]:
    """The keys that decide comparability for a metric, in catalogue order.

    ``applies`` names keys that the benchmark version declares hard beside the default ones.
    """
    return tuple(
        key.name for key in load_catalogue().settings if key.name in applies or key.is_hard(metric, sealed=sealed)
    )


def order_keys(names: Collection[str]) -> list[str]:
    """Setting keys in catalogue order; keys that the catalogue does not know come last, by name."""
    known = [key.name for key in load_catalogue().settings if key.name in names]
    return known + sorted(set(names) - set(known))


def find_direction(metric: str) -> Direction:
    """Which way is better; ``unknown`` for a metric without a row."""
    row = _find_metric(metric)
    return row.direction if row else "unknown"


def find_tolerance(metric: str) -> float | None:
    """Within which difference two numbers count as equal; ``None`` where no row says so."""
    row = _find_metric(metric)
    return row.tolerance if row else None


def describe_flag(name: str) -> str:
    """What a flag says; its name for a flag without a row."""
    return load_catalogue().flags.get(name, name)


def explain_flags(names: Collection[str]) -> list[str]:
    """``low_ci: half-width > 5 points …``, a line a flag, by name."""
    return [f"{name}: {describe_flag(name)}" for name in sorted(names)]


def _find_metric(metric: str) -> MetricRow | None:
    return next((row for row in load_catalogue().metrics if fnmatchcase(metric, row.pattern)), None)
