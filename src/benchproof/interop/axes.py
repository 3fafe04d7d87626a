"""Make an imported axis: what every format states of one, with unknown where it does not."""

from collections.abc import Sequence
from typing import Any

from benchproof.canon import digest
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT, UNKNOWN
from benchproof.records.imported import ImportedAxis, ImportedMetric, ReportedNumber


def make_axis(
    harness: str,
    harness_version: str,
    *,
    axis: str,
    task: str,
    metrics: Sequence[ImportedMetric],
    reported: Sequence[ReportedNumber],
    version: str = UNKNOWN,
    language: str = NO_LANGUAGE,
    script: str = NO_SCRIPT,
    split: str = UNKNOWN,
    planned: int = 0,
    samples_each: int = 1,
    dataset: dict[str, Any] | None = None,
) -> ImportedAxis:
    """The axis of one task; ``dataset`` holds what more the log says of its data."""
    slug = f"{harness}/{task}"
    return {
        "schema_version": 1,
        "kind": "imported-axis",
        "axis": axis,
        "task": task,
        "language": language,
        "script": script,
        "benchmark": f"{slug}@{version}",
        "metric": metrics[0]["metric"],
        "metrics": list(metrics),
        "split": split,
        "dataset": {"slug": slug, "version": version, "license": UNKNOWN, **(dataset or {})},
        "format": {"name": harness, "version": harness_version},
        "planned": planned,
        "samples_each": samples_each,
        "reported": list(reported),
    }


def digest_content(*parts: Any) -> str:
    """The identity of an item by what was asked and its key, where the harness has no digest of its own."""
    return digest(list(parts))


def name_item(language: str, content: str, time: int) -> str:
    """``<language>/<16 digits>``, with ``~2`` … for an item of the same content again."""
    return f"{language}/{content[:16]}{'' if time == 1 else f'~{time}'}"


def finite(value: Any) -> float | None:
    """A number that canonical JSON can hold exactly, or none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    return number if number == number and abs(number) < 1 << 53 else None


def point(place: str, *parts: str | int) -> str:
    """``<place>#<JSON Pointer>``."""
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return f"{place}#/{'/'.join(escaped)}"
