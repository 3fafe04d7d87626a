"""The one function that decides what may stand beside what (contract-results §3; contract-architecture, law 4).

A group is a benchmark version, a metric, a language, a slice and the value of each hard key. Laws: absent is
``unknown``; an unknown hard key is like nothing, not even another unknown; drafts (0.x) are alike only within one
digest of the bench. Tables, contrasts, gates, ratings and pages call this module and decide nothing themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from benchproof.records.run import AxisOfRun, RunManifest
from benchproof.results.catalogue import list_hard_keys, order_keys
from benchproof.results.settings import UNKNOWN, complete_setting


class Measured(Protocol):
    """What comparability looks at, and nothing else; a table row has it, an axis of a run too."""

    @property
    def benchmark(self) -> str:
        """``<slug>@<version>``."""
        ...

    @property
    def metric(self) -> str:
        """The metric's slug, normalisation included."""
        ...

    @property
    def language(self) -> str:
        """BCP-47 tag."""
        ...

    @property
    def slice(self) -> str:
        """``all``, or the part of the items that the number is over."""
        ...

    @property
    def draft_digest(self) -> str | None:
        """Digest of the bench where it is a draft (0.x), else ``None``."""
        ...

    @property
    def setting(self) -> Mapping[str, Any]:
        """The keys that are stated."""
        ...

    @property
    def hard_keys(self) -> tuple[str, ...]:
        """The keys that decide, in catalogue order."""
        ...


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the numbers of one axis of a sealed run stand."""

    benchmark: str
    metric: str
    language: str
    slice: str
    draft_digest: str | None
    setting: Mapping[str, Any]
    hard_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A comparable group: equal groups may be ranked together unless a key in ``unknown`` forbids it."""

    benchmark: str
    metric: str
    language: str
    slice: str
    draft_digest: str | None
    keys: tuple[tuple[str, str], ...]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The hard keys whose value nobody stated."""
        return tuple(key for key, value in self.keys if value == UNKNOWN)


@dataclass(frozen=True, slots=True)
class KeyDifference:
    """A key that differs; ``hard`` says whether it decides. An unknown hard key differs from everything."""

    key: str
    left: str
    right: str
    hard: bool


def find_standing(manifest: RunManifest, axis: AxisOfRun) -> Standing:
    """Where an axis of a sealed run stands."""
    return Standing(
        benchmark=axis["benchmark"],
        metric=axis["metric"],
        language=axis["language"],
        slice="all",
        draft_digest=find_draft_digest(manifest),
        setting=complete_setting(axis, manifest),
        hard_keys=list_hard_keys(axis["metric"], sealed=True),
    )


def find_draft_digest(manifest: RunManifest) -> str | None:
    """The bench digest of a draft (version 0.x), which no other digest may stand beside; else ``None``."""
    bench = manifest["bench"]
    is_draft = str(bench.get("bench_version", UNKNOWN)).split(".")[0] == "0"
    return str(bench.get("digest", UNKNOWN)) if is_draft else None


def value_of(measured: Measured, key: str) -> str:
    """The printed value of a key; ``unknown`` where it is absent."""
    value = measured.setting.get(key)
    return UNKNOWN if value is None else str(value)


def group_of(measured: Measured) -> Group:
    """The comparable group that a number belongs to."""
    return Group(
        benchmark=measured.benchmark,
        metric=measured.metric,
        language=measured.language,
        slice=measured.slice,
        draft_digest=measured.draft_digest,
        keys=tuple((key, value_of(measured, key)) for key in measured.hard_keys),
    )


def is_comparable(left: Measured, right: Measured) -> bool:
    """Whether two numbers may be ranked together."""
    return not any(difference.hard for difference in differing_keys(left, right))


def differing_keys(left: Measured, right: Measured) -> list[KeyDifference]:
    """Every key in which two numbers differ: what they measure first, then settings in catalogue order.

    A key is hard when it decides for either side. A soft key is listed where the sides state different values or only
    one states any.
    """
    differences = [
        KeyDifference(key, before, after, hard=True)
        for key, before, after in (
            ("benchmark", left.benchmark, right.benchmark),
            ("metric", left.metric, right.metric),
            ("language", left.language, right.language),
            ("slice", left.slice, right.slice),
            ("bench_digest", left.draft_digest or "none", right.draft_digest or "none"),
        )
        if before != after or before == UNKNOWN
    ]
    hard_keys = {*left.hard_keys, *right.hard_keys}
    for key in order_keys({*left.setting, *right.setting, *hard_keys}):
        before, after = value_of(left, key), value_of(right, key)
        hard = key in hard_keys
        if before != after or (hard and before == UNKNOWN):
            differences.append(KeyDifference(key, before, after, hard))
    return differences
