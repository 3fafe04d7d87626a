"""What is counted while the samples of a log are read: errors, missing scores, edits, and the scores of each item."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchproof.interop.axes import point
from benchproof.interop.inspect_ai.header import read_table
from benchproof.interop.inspect_ai.scoring import MEANS, ScoreEntry, name_metric
from benchproof.interop.rules.inspect_ai import (
    i013_errored_left_out,
    i014_no_score,
    i030_edited,
    i043_metric_differs,
    i044_fewer_samples,
)
from benchproof.measure.inspect_stats import (
    interval_inspect,
    is_reducer,
    reduce_epochs,
    stderr_inspect,
    variance_inspect,
)
from benchproof.rulebook import Finding


@dataclass
class Tally:
    """Counts of one log. ``clusters`` are the keys of sample metadata that its metrics group by."""

    sources: Mapping[str, ScoreEntry]
    clusters: frozenset[str]
    samples: int = 0
    items: int = 0
    errored: list[str] = field(default_factory=list)
    unscored: list[str] = field(default_factory=list)
    unconverted: dict[str, None] = field(default_factory=dict)
    edited: list[str] = field(default_factory=list)
    _open: dict[str, list[float]] = field(default_factory=dict)
    _values: dict[str, list[float]] = field(default_factory=dict)
    _groups: dict[str, list[dict[str, Hashable]]] = field(default_factory=dict)

    def add_sample(
        self,
        case: str,
        scores: Mapping[str, float | None],
        *,
        errored: bool,
        unconverted: Sequence[str],
        edited: Sequence[str],
    ) -> None:
        """One sample; ``case`` names it."""
        self.samples += 1
        if errored:
            self.errored.append(case)
        elif all(value is None for value in scores.values()):
            self.unscored.append(case)
        if unconverted:
            self.unconverted[case] = None
        self.edited += [f"{case}: {name}" for name in edited]
        for source, value in scores.items():
            if value is not None:
                self._open.setdefault(source, []).append(value)

    def close_item(self, metadata: Mapping[str, Any]) -> None:
        """The samples since the last item were all of one, with this metadata."""
        self.items += 1
        groups = {key: metadata[key] for key in self.clusters if isinstance(metadata.get(key), str | int | float)}
        for source, values in self._open.items():
            entry = self.sources[source]
            reduced = reduce_epochs(values, entry.reducer) if is_reducer(entry.reducer) else None
            if reduced is not None:
                self._values.setdefault(source, []).append(reduced)
                self._groups.setdefault(source, []).append(groups)
        self._open.clear()

    def findings(self, place: str, samples_each: int, edits: Sequence[str], author: str) -> Iterator[Finding]:
        """Every finding about the samples; ``edits`` are those of the log itself."""
        yield from i013_errored_left_out(place, len(self.errored), self.samples, self.errored)
        yield from i014_no_score(place, len(self.unscored), self.samples, self.unscored, as_zero=self._is_zero())
        yield from i014_no_score(place, len(self.unconverted), self.samples, list(self.unconverted), as_zero=True)
        yield from i030_edited(place, [*edits, *self.edited], author)
        yield from i044_fewer_samples(place, self.samples, self.items * samples_each)

    def check_metrics(self, place: str) -> Iterator[Finding]:
        """Each deviation, error and interval against what the item scores give."""
        for source, entry in self.sources.items():
            if source != entry.source(entry.means()[0]) or not is_reducer(entry.reducer):
                continue
            for name, metric in entry.metrics.items():
                where = point(place, *entry.at, "metrics", name)
                yield from self._check_metric(where, source, name_metric(name, metric), metric)

    def _check_metric(self, where: str, source: str, kind: str, metric: Mapping[str, Any]) -> Iterator[Finding]:
        params = read_table(metric.get("params", metric.get("options")))
        values = self._values.get(source, [])
        key = params.get("cluster")
        clusters: list[Hashable] | None = None
        if isinstance(key, str):
            clusters = [groups.get(key) for groups in self._groups.get(source, [])]
            if None in clusters:
                return
        if "to_float" in params or kind in MEANS:
            return
        stated = metric.get("value")
        if kind == "stderr":
            yield from i043_metric_differs(where, kind, stated, stderr_inspect(values, clusters))
        elif kind == "var":
            yield from i043_metric_differs(where, kind, stated, variance_inspect(values))
        elif kind == "std":
            yield from i043_metric_differs(where, kind, stated, variance_inspect(values) ** 0.5)
        elif kind == "ci" and params.get("method", "t") == "t":
            level = params.get("level", 0.95)
            if isinstance(level, float) and 0.0 < level < 1.0:
                for end, here in zip(("lower", "upper"), interval_inspect(values, level, clusters), strict=True):
                    yield from i043_metric_differs(where, f"{kind} {end}", read_table(stated).get(end), here)

    def _is_zero(self) -> bool:
        """Whether the log's numbers are over nothing: Inspect writes 0 then, and not that there are none."""
        return not any(self._values.values()) and any(
            entry.metrics.get(name, {}).get("value") == 0 for entry in self.sources.values() for name in entry.means()
        )
