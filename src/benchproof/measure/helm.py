"""Item scores by the rules of HELM's basic metrics, so that its runs can be computed again.

Source: ``helm/benchmark/metrics/evaluate_reference_metrics.py``, 0.5.16. The quasi forms compare after the
normalisation of SQuAD: lower case, no punctuation, no articles, single spaces. An empty prediction is wrong.
"""

from collections.abc import Callable, Collection
from typing import Literal

from benchproof.measure.squad import normalise_squad

HelmMatch = Literal["exact-match", "quasi-exact-match", "prefix-exact-match", "quasi-prefix-exact-match"]


def match_helm(prediction: str, references: Collection[str], rule: HelmMatch) -> int:
    """1 if the prediction matches one of the references under the rule, else 0."""
    if not prediction:
        return 0
    normalise: Callable[[str], str] = normalise_squad if rule.startswith("quasi") else str.strip
    taken = normalise(prediction)
    if "prefix" in rule:
        return int(any(taken.startswith(normalise(one)) for one in references))
    return int(any(taken == normalise(one) for one in references))
