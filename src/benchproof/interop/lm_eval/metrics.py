"""Which rule computes each metric of a task again, and why some cannot be."""

from collections.abc import Mapping
from typing import Any

from benchproof.interop.lm_eval.results import HARNESS, read_numbers, read_table
from benchproof.records.imported import ImportedMetric

NO_FILTER = "none"
_CHOICE_RULES = {
    "acc": "choice-accuracy.none",
    "acc_norm": "choice-accuracy.char@lm-eval",
    "acc_bytes": "choice-accuracy.byte@lm-eval",
    "acc_mutual_info": "choice-accuracy.mutual-info@lm-eval",
    "brier_score": "brier@lm-eval",
    "exact_match": "greedy-match@lm-eval",
}
_FRACTIONS = frozenset({"acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match", "f1", "em", "contains"})
_EXACT_MATCH_OPTIONS = ("regexes_to_ignore", "ignore_case", "ignore_punctuation", "ignore_numbers")
_NO_MEANS = frozenset({"perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "weighted_perplexity"})


def list_metrics(document: Mapping[str, Any], task: str, *, has_samples: bool) -> list[ImportedMetric]:
    """The metrics of a task, and the rule that computes each again."""
    config = read_table(read_table(document.get("configs")).get(task))
    return [
        find_metric(number["source"], config, has_samples=has_samples) for number in read_numbers(document, task, "raw")
    ]


def find_metric(source: str, config: Mapping[str, Any], *, has_samples: bool) -> ImportedMetric:
    """One metric by its name in the file, ``acc_norm,none``."""
    name, _, chosen = source.partition(",")
    suffix = "" if chosen in ("", NO_FILTER) else f"/{chosen}"
    metric: ImportedMetric = {
        "metric": f"{name}@{HARNESS}{suffix}",
        "rule": "as-scored",
        "source": source,
        "unit": "fraction" if name in _FRACTIONS else "score",
    }
    if not has_samples:
        return {**metric, "rule": "as-reported", "why": "the log has no samples of this task"}
    options = _find_options(config, name)
    aggregation = options.get("aggregation", "mean")
    if name in _NO_MEANS or aggregation not in ("mean", "nanmean", "brier_score"):
        why = f"it is no mean of item scores ({aggregation if name not in _NO_MEANS else name})"
        return {**metric, "rule": "as-reported", "why": why}
    kind = config.get("output_type")
    if kind == "multiple_choice" and name in _CHOICE_RULES:
        rule = _CHOICE_RULES[name]
        return {**metric, "metric": rule + suffix, "rule": rule}
    if kind == "loglikelihood" and name == "acc":
        return {**metric, "metric": "greedy-match@lm-eval" + suffix, "rule": "greedy-match@lm-eval"}
    if kind == "generate_until" and name == "exact_match":
        used = {key: options[key] for key in _EXACT_MATCH_OPTIONS if options.get(key)}
        rule = "exact-match@lm-eval"
        metric = {**metric, "metric": rule + suffix, "rule": rule, "filter": chosen or NO_FILTER}
        if used:
            metric["options"] = used
        return metric
    return {**metric, "why": "how an item is scored is the task's own code"}


def _find_options(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    listed = config.get("metric_list")
    rows = [row for row in listed if isinstance(row, Mapping)] if isinstance(listed, list) else []
    return next((row for row in rows if row.get("metric") == name), {})
