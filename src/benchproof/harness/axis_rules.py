"""Rules that tie two keys of an axis together, and the metrics that an axis may name."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast, get_args

from benchproof.harness.keys import KeyReport, nearest, shorten, suggest
from benchproof.harness.yaml_tree import Node
from benchproof.records.bench import AxisType, Normalization
from benchproof.rulebook import Finding
from benchproof.scores import find_scorer, list_scorers


@dataclass(frozen=True, slots=True)
class Metric:
    """The type of axis that a metric scores, and the normalisation of its choice records."""

    type: AxisType
    normalization: Normalization


@cache
def load_metrics() -> Mapping[str, Metric]:
    """The metrics that an axis may name: those that a scorer at hand gives under a normalisation of records."""
    metrics = {}
    for scorer in list_scorers():
        slug = scorer["slug"]
        kind, rule = find_scorer(slug).axis_type, slug.rpartition(".")[2]
        if kind == "short-answer":
            metrics[slug] = Metric(kind, "none")
        elif rule in get_args(Normalization):
            metrics[slug] = Metric(kind, cast("Normalization", rule))
    return metrics


def b006_missing_axis_key(node: Node, report: KeyReport) -> list[Finding]:
    """B006: a declarative axis says its type, data, prompt and metric; a short-answer axis also how it generates."""
    required = ["data", "type", "prompt", "metric"]
    kind = node.value.get("type")
    if kind is not None and kind.value == "short-answer":
        required.append("generation")
    return [
        Finding(
            report.place_of(node),
            "B006",
            f"required key {key!r} is missing from axis {shorten(node.value['axis'].plain())}",
            hint="A choice or short-answer axis needs: " + ", ".join(required) + ".",
        )
        for key in required
        if key not in node.value
    ]


def b009_metric_of_other_type(used: Mapping[str, Node], report: KeyReport) -> list[Finding]:
    """B009: the metric is known, names its normalisation, and scores this type of axis."""
    if "metric" not in used or "type" not in used:
        return []
    name, kind = used["metric"].value, used["type"].value
    fitting = [known for known, metric in load_metrics().items() if metric.type == kind]
    if name in fitting:
        return []
    place, expected = report.place_of(used["metric"]), f"one of {', '.join(fitting)}"
    return [Finding(place, "B009", f"no metric of a {kind} axis", shorten(name), expected, suggest(name, fitting))]


def b011_key_of_other_type(used: Mapping[str, Node], report: KeyReport) -> list[Finding]:
    """B011: an option of the other type of axis would be silently ignored, so it is refused."""
    if "type" not in used:
        return []
    kind = used["type"].value
    foreign = "generation" if kind == "choice" else "shared_prefix"
    if foreign not in used:
        return []
    return [Finding(report.place_of(used[foreign]), "B011", f"{foreign!r} is no option of a {kind} axis")]


def b012_languages_differ(node: Node, key: str, languages: Mapping[str, str], report: KeyReport) -> list[Finding]:
    """B012: what is given per language is given for each language of the bench, and for no other."""
    findings = [
        Finding(report.place_of(node), "B012", f"{key!r} has nothing for language {language!r}")
        for language in languages
        if language not in node.value
    ]
    return findings + [
        Finding(
            report.place(*(node.keys or {})[language]),
            "B012",
            f"{key!r} names a language that the bench does not have",
            shorten(language),
            hint=nearest(language, languages),
        )
        for language in node.value
        if language not in languages
    ]
