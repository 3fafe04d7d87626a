"""Which of HELM's statistics are metrics, and the rule that computes each again."""

import re
from collections.abc import Mapping
from typing import Any

from benchproof.records.imported import ImportedMetric

_BOOKKEEPING = re.compile(
    r"(num_|finish_reason_|inference_|training_|batch_size|prompt_truncated|max_prob|logprob|logprob_per_byte"
    r"|bits_per_byte|perplexity|predicted_index|ece_|platt_|selective_|none_prob|estimated_)"
)
_MATCHES = frozenset({"exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"})
_FRACTIONS = re.compile(
    r"(.*exact_match|f1_score|rouge_[12l]|bleu_[14]|accuracy|math_equiv.*|classification_.*)(@\d+)?"
)


def is_metric(name: str) -> bool:
    """Whether a statistic says how well something was answered, rather than what it took."""
    return not _BOOKKEEPING.match(name)


def find_metric(name: str, adapter: Mapping[str, Any], *, has_items: bool) -> ImportedMetric:
    """One statistic as a metric of ours; ``@k`` counts a hit among k completions."""
    metric: ImportedMetric = {
        "metric": f"{name}@helm",
        "rule": "as-scored" if has_items else "as-reported",
        "source": name,
        "unit": "fraction" if _FRACTIONS.fullmatch(name) else "score",
    }
    if not has_items:
        return {**metric, "why": "the run has no instances"}
    method = str(adapter.get("method", ""))
    if name in _MATCHES and (method == "generation" or method.startswith("multiple_choice_joint")):
        rule = f"{name.replace('_', '-')}@helm"
        return {**metric, "metric": rule, "rule": rule, "filter": ""}
    return {**metric, "why": "how an item is scored is HELM's own code"}
