"""Which scores an Inspect log has, what it states of each, and which rule computes it again.

``results.scores`` has an entry for each scorer and reducer of epochs, and for each key of a scorer that gives several
values; its metrics are numbers over the items. Older logs have one scorer in ``results`` itself.
Source: ``inspect_ai/_eval/task/results.py`` and ``inspect_ai/log/_log.py``, 0.3.285.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchproof.interop.axes import finite, point
from benchproof.interop.inspect_ai.header import HARNESS, read_table, read_text
from benchproof.measure.inspect_stats import is_reducer
from benchproof.records.imported import ImportedMetric, ReportedNumber

MEANS = ("accuracy", "mean")
SPREADS = ("stderr", "std", "var", "bootstrap_stderr", "ci", "ci_wilson")
"""Metrics of how sure a mean is: compared, and printed beside it, but no numbers of their own."""

_NOT_PORTABLE = re.compile(r"[^A-Za-z0-9_.:/@-]+")
_OPTIONS: Mapping[str, Mapping[str, type]] = {
    "match": {"location": str, "ignore_case": bool},
    "includes": {"ignore_case": bool},
    "exact": {},
    "choice": {},
    "pattern": {"ignore_case": bool},
    "answer": {},
}
_RULES = {name: f"{'pattern' if name == 'answer' else name}@{HARNESS}" for name in _OPTIONS}
_TAKES_ANSWER = frozenset({"choice", "pattern", "answer"})
COMPLETION = ""
"""The filter that takes the whole answer; a scorer's own answer stands under the name of its score."""


@dataclass(frozen=True)
class ScoreEntry:
    """One entry of the log's scores. ``name`` is the score, ``scorer`` what gave it; ``at`` its JSON Pointer."""

    name: str
    scorer: str
    reducer: str = "mean"
    params: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    scored: int | None = None
    at: tuple[str | int, ...] = ()

    def means(self) -> list[str]:
        """Names of its metrics that are means of the item scores; one where it has none."""
        return [name for name, metric in self.metrics.items() if name_metric(name, metric) in MEANS] or ["mean"]

    def source(self, metric: str) -> str:
        """The key of a number of this entry, and of the sample scores that it is over."""
        return f"{self.name}/{metric}" if self.reducer == "mean" else f"{self.name}/{metric}/{self.reducer}"


def list_entries(
    document: Mapping[str, Any], reducers: Sequence[str], names: Mapping[str, Mapping[str, Any]]
) -> list[ScoreEntry]:
    """The entries of the log, and one for each of the other ``names`` (with options) that samples have scores under."""
    results = read_table(document.get("results"))
    stated = results.get("scores")
    entries: list[ScoreEntry] = []
    if isinstance(stated, list):
        for index, one in enumerate(stated):
            entry = read_table(one)
            name = read_text(entry.get("name"))
            if name:
                entries.append(_read_entry(entry, name, reducers, ("results", "scores", index)))
    elif isinstance(results.get("metrics"), Mapping):
        scorer = read_table(results.get("scorer"))
        entries.append(_read_entry({**scorer, **results}, read_text(scorer.get("name")) or "score", (), ("results",)))
    known = {part for entry in entries for part in (entry.name, entry.scorer)}
    for name, options in names.items():
        if name not in known:
            entries += [ScoreEntry(name, name, reducer, options) for reducer in reducers]
    unique = {(entry.name, entry.scorer, entry.reducer): entry for entry in reversed(entries)}
    return list(reversed(unique.values())) or [ScoreEntry("score", "score")]


def list_scorers(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The scorers that the log says it was to use, and their options."""
    listed = read_table(document.get("eval")).get("scorers")
    tables = [read_table(one) for one in listed] if isinstance(listed, list) else []
    named = {read_text(one.get("name")): read_table(one.get("options")) for one in tables}
    return {name: options for name, options in named.items() if name}


def list_metrics(entries: Sequence[ScoreEntry]) -> list[ImportedMetric]:
    """Every number of the entries, each under a name of its own."""
    metrics: list[ImportedMetric] = []
    used: set[str] = set()
    for entry in entries:
        others = [name for name, metric in entry.metrics.items() if name_metric(name, metric) not in (*MEANS, *SPREADS)]
        made = [_describe_mean(entry, name) for name in entry.means()] + [_repeat(entry, name) for name in others]
        for metric in made:
            metric["metric"] = _make_unique(metric["metric"], used)
            if all(metric["source"] != one["source"] for one in metrics):
                metrics.append(metric)
    return metrics


def list_reported(entries: Sequence[ScoreEntry], place: str) -> list[ReportedNumber]:
    """What the log states, each where it stands; the standard error stands beside a mean."""
    numbers: list[ReportedNumber] = []
    for entry in entries:
        errors = [one for name, one in entry.metrics.items() if name_metric(name, one).endswith("stderr")]
        for name, metric in entry.metrics.items():
            kind = name_metric(name, metric)
            if kind in SPREADS:
                continue
            value = finite(metric.get("value"))
            number: ReportedNumber = {
                "source": entry.source(name),
                "value": value,
                "place": point(place, *entry.at, "metrics", name),
            }
            if value is None:
                number["printed"] = str(metric.get("value"))[:80]
            if errors and kind in MEANS:
                number["stderr"] = finite(errors[0].get("value"))
            if entry.scored is not None:
                number["n"] = entry.scored
            numbers.append(number)
    return numbers


def name_metric(key: str, metric: Mapping[str, Any]) -> str:
    """What a metric is: ``inspect_ai/accuracy`` and ``accuracy1`` (the second of its name) are accuracy."""
    name = (read_text(metric.get("name")) or key).rpartition("/")[2]
    return name if name in (*MEANS, *SPREADS) else re.sub(r"[0-9]+$", "", name)


def _read_entry(entry: Mapping[str, Any], name: str, reducers: Sequence[str], at: tuple[str | int, ...]) -> ScoreEntry:
    """``reducer`` is stated since 0.3.285 or so; before, one reducer had no name in its entry."""
    scored = entry.get("scored_samples")
    metrics = entry.get("metrics")
    return ScoreEntry(
        name=name,
        scorer=read_text(entry.get("scorer")) or name,
        reducer=read_text(entry.get("reducer")) or (reducers[0] if reducers else "mean"),
        params=read_table(entry.get("params")),
        metrics={str(key): read_table(value) for key, value in read_table(metrics).items()},
        scored=scored if type(scored) is int and 0 <= scored < 1 << 31 else None,
        at=at,
    )


def _describe_mean(entry: ScoreEntry, name: str) -> ImportedMetric:
    rule, options, why = _find_rule(entry)
    metric: ImportedMetric = {
        "metric": f"{entry.name}.{name}@{HARNESS}",
        "rule": rule,
        "source": entry.source(name),
        "unit": "score" if name_metric(name, entry.metrics.get(name, {})) == "mean" else "fraction",
    }
    if not is_reducer(entry.reducer):
        why = f"epochs were made one score by {entry.reducer!r}, which is not computed here"
        return {**metric, "rule": "as-reported", "why": why}
    if entry.reducer != "mean":
        metric["reducer"] = entry.reducer
        metric["metric"] += f"/{entry.reducer}"
    if rule == "as-scored":
        return {**metric, "why": why}
    metric["filter"] = entry.name if entry.scorer in _TAKES_ANSWER else COMPLETION
    if options:
        metric["options"] = options
    plain = name == entry.means()[0] and entry.name == entry.scorer
    metric["metric"] = metric["metric"].replace(f"{entry.name}.{name}@{HARNESS}", rule) if plain else metric["metric"]
    return metric


def _find_rule(entry: ScoreEntry) -> tuple[str, dict[str, Any], str]:
    """Rule, its options, and why it is none: only Inspect's own scorers, with options that are known, are repeated."""
    known = _OPTIONS.get(entry.scorer)
    if known is None or entry.name.rstrip("0123456789") != entry.scorer:
        return "as-scored", {}, "how an item is scored is the task's own code, or a model's judgement"
    if entry.params.get("numeric"):
        return "as-scored", {}, "numbers are matched in ways that are not repeated here"
    if entry.scorer == "pattern" and entry.params.get("match_all"):
        return "as-scored", {}, "the log holds one of the groups that the pattern took, not all"
    options = {name: entry.params[name] for name, kind in known.items() if isinstance(entry.params.get(name), kind)}
    return _RULES[entry.scorer], options, ""


def _repeat(entry: ScoreEntry, name: str) -> ImportedMetric:
    return {
        "metric": f"{entry.name}.{name}@{HARNESS}" + ("" if entry.reducer == "mean" else f"/{entry.reducer}"),
        "rule": "as-reported",
        "source": entry.source(name),
        "unit": "score",
        "why": "it is no mean of item scores",
    }


def _make_unique(name: str, used: set[str]) -> str:
    portable = _NOT_PORTABLE.sub("-", name)[:120].strip("-") or "score"
    unique, count = portable, 1
    while unique in used:
        count += 1
        unique = f"{portable}~{count}"
    used.add(unique)
    return unique
