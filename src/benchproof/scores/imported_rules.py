"""Rules that compute an imported item's score again, each from what the log itself carries.

A rule's slug is what an imported axis names in ``rule``. Where a rule needs what a sample does not have, it gives
``None`` and the item is unparsed: never a zero, and never the log's own score in disguise.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from benchproof.measure import CHOICE_RULES, Candidate, ChoiceRule, MeasureError, choose
from benchproof.measure.helm import HelmMatch, match_helm
from benchproof.measure.inspect_ai import (
    choice_inspect,
    exact_inspect,
    includes_inspect,
    match_inspect,
    pattern_inspect,
)
from benchproof.measure.lm_eval import brier_lm_eval, choose_by_mutual_information, exact_match_lm_eval
from benchproof.records.imported import ImportedMetric, ImportedRecord, ImportedSample

AS_SCORED = "as-scored"
"""The mean of the item scores that the log states: averaged again, not judged again."""

AS_REPORTED = "as-reported"
"""The log has no items: its number is repeated, with where it stands."""


@dataclass(frozen=True, slots=True)
class SampleScore:
    """One sample's score; ``tie`` where the best value was shared."""

    score: float
    tie: bool = False


SampleRule = Callable[[ImportedRecord, ImportedSample, ImportedMetric], SampleScore | None]


@dataclass(frozen=True, slots=True)
class ImportedRule:
    """A rule with the version and the sources that make its digest."""

    slug: str
    score_sample: SampleRule
    sources: tuple[str, ...]
    version: str = "1"


def _by_likelihood(rule: ChoiceRule) -> SampleRule:
    def score(record: ImportedRecord, sample: ImportedSample, _metric: ImportedMetric) -> SampleScore | None:
        candidates = [
            Candidate(one["text"], one["text"], one.get("tokens", 0), _number(one["logprob"]))
            for one in sample.get("candidates", ())
        ]
        if not candidates:
            return None
        choice = choose(candidates, rule)
        return SampleScore(float(choice.chosen in record["gold"]), tie=choice.tie)

    return score


def _by_mutual_information(
    record: ImportedRecord, sample: ImportedSample, _metric: ImportedMetric
) -> SampleScore | None:
    candidates = sample.get("candidates", [])
    if not candidates or any("unconditioned" not in one for one in candidates):
        return None
    choice = choose_by_mutual_information(
        [_number(one["logprob"]) for one in candidates], [_number(one["unconditioned"]) for one in candidates]
    )
    return SampleScore(float(choice.chosen in record["gold"]), tie=choice.tie)


def _brier(record: ImportedRecord, sample: ImportedSample, _metric: ImportedMetric) -> SampleScore | None:
    candidates = sample.get("candidates", [])
    if not candidates or len(record["gold"]) != 1 or not isinstance(record["gold"][0], int):
        return None
    return SampleScore(brier_lm_eval([_number(one["logprob"]) for one in candidates], record["gold"][0]))


def _greedy(record: ImportedRecord, sample: ImportedSample, _metric: ImportedMetric) -> SampleScore | None:
    """The right continuation is the model's own first choice, token by token."""
    candidates = sample.get("candidates", [])
    gold = [candidates[index] for index in record["gold"] if isinstance(index, int) and 0 <= index < len(candidates)]
    if not gold or any("is_greedy" not in one for one in gold):
        return None
    return SampleScore(float(any(one["is_greedy"] for one in gold)))


def _exact_match(record: ImportedRecord, sample: ImportedSample, metric: ImportedMetric) -> SampleScore | None:
    extracted = sample.get("extracted", {})
    name = metric.get("filter", "")
    if name not in extracted:
        return None
    prediction = extracted[name]
    references = [str(reference) for reference in record["gold"]]
    if prediction is None:
        return None
    try:
        return SampleScore(float(exact_match_lm_eval(prediction, references, **metric.get("options", {}))))
    except (re.error, TypeError) as fault:
        raise MeasureError(f"the log's options of exact match cannot be used: {fault}") from None


def _helm_match(rule: HelmMatch) -> SampleRule:
    def score(record: ImportedRecord, sample: ImportedSample, metric: ImportedMetric) -> SampleScore | None:
        extracted = sample.get("extracted", {})
        name = metric.get("filter", "")
        if name not in extracted:
            return None
        # What no choice is mapped to is a wrong answer for HELM, not a missing one.
        return SampleScore(float(match_helm(extracted[name] or "", [str(one) for one in record["gold"]], rule)))

    return score


def _by_inspect(scorer: Callable[..., int], *, needs_answer: bool = True) -> SampleRule:
    def score(record: ImportedRecord, sample: ImportedSample, metric: ImportedMetric) -> SampleScore | None:
        extracted = sample.get("extracted", {})
        name = metric.get("filter", "")
        answer = extracted.get(name)
        # A sample that Inspect left without a score has none here either, whatever it answered.
        if name not in extracted or sample["scores"].get(metric["source"]) is None:
            return None
        if answer is None and needs_answer:
            return None
        targets = [str(target) for target in record["gold"]]
        return SampleScore(float(scorer(answer, targets, **metric.get("options", {}))))

    return score


def _as_scored(_record: ImportedRecord, sample: ImportedSample, metric: ImportedMetric) -> SampleScore | None:
    value = sample["scores"].get(metric["source"])
    return None if value is None else SampleScore(value)


_HELM = "measure/helm.py"
_INSPECT = "measure/inspect_ai.py"
_LM_EVAL = "measure/lm_eval.py"
_ALL = (
    *(ImportedRule(f"choice-accuracy.{rule}", _by_likelihood(rule), ("measure/choice.py",)) for rule in CHOICE_RULES),
    ImportedRule("choice-accuracy.mutual-info@lm-eval", _by_mutual_information, ("measure/choice.py", _LM_EVAL)),
    ImportedRule("brier@lm-eval", _brier, (_LM_EVAL,)),
    ImportedRule("greedy-match@lm-eval", _greedy, ()),
    ImportedRule("exact-match@lm-eval", _exact_match, (_LM_EVAL,)),
    *(ImportedRule(f"{rule}@helm", _helm_match(rule), (_HELM, "measure/squad.py")) for rule in get_args(HelmMatch)),
    ImportedRule("match@inspect", _by_inspect(match_inspect), (_INSPECT,)),
    ImportedRule("includes@inspect", _by_inspect(includes_inspect), (_INSPECT,)),
    ImportedRule("exact@inspect", _by_inspect(exact_inspect), (_INSPECT,)),
    ImportedRule("choice@inspect", _by_inspect(choice_inspect, needs_answer=False), (_INSPECT,)),
    ImportedRule("pattern@inspect", _by_inspect(pattern_inspect, needs_answer=False), (_INSPECT,)),
    ImportedRule(AS_SCORED, _as_scored, ()),
)
IMPORTED_RULES: Mapping[str, ImportedRule] = {rule.slug: rule for rule in _ALL}


def _number(value: Any) -> float:
    """A likelihood as a number; one that the log has none of is NaN, which every rule refuses."""
    return math.nan if value is None else cast("float", value)
