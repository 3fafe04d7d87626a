"""Choice by likelihood: the named length normalisations, the first maximum, ties counted.

Sources: contract-archive §6 and contract-statistics, Metrics: byte lengths are exact, of UTF-8, with prefix and suffix.
``byte`` and ``byte@lm-eval`` are different rules and choose differently on real items, so neither is ever called just
"bytes".

====================  ===========================================================================
rule                  the sum of log-probabilities is divided by
====================  ===========================================================================
``none``              nothing (lm-eval ``acc``)
``byte``              UTF-8 bytes of the exact scored continuation: prefix, text and suffix
``token``             number of scored tokens
``char@lm-eval``      Unicode code points of the text alone, without delimiter (lm-eval ``acc_norm``)
``byte@lm-eval``      UTF-8 bytes of the text alone, without delimiter (lm-eval ``acc_bytes``)
====================  ===========================================================================
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from benchproof.measure.errors import MeasureError

ChoiceRule = Literal["none", "byte", "token", "char@lm-eval", "byte@lm-eval"]
CHOICE_RULES: tuple[ChoiceRule, ...] = get_args(ChoiceRule)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a rule may look at: ``text`` as the item gives it, ``scored_text`` with prefix and suffix, its tokens.

    ``logprob`` is the sum of the tokens' natural-log probabilities (nat).
    """

    text: str
    scored_text: str
    tokens: int
    logprob: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The value of each candidate, the first maximum, and whether another candidate reaches the same value."""

    values: tuple[float, ...]
    chosen: int
    tie: bool


def measure_length(candidate: Candidate, rule: ChoiceRule) -> int:
    """The length that ``rule`` divides by; 1 under ``none``."""
    match rule:
        case "none":
            return 1
        case "byte":
            return len(candidate.scored_text.encode())
        case "token":
            return candidate.tokens
        case "char@lm-eval":
            return len(candidate.text)
        case "byte@lm-eval":
            return len(candidate.text.encode())
        case _:
            raise MeasureError(
                "unknown length normalisation", got=repr(rule), expected="one of " + ", ".join(CHOICE_RULES)
            )


def choice_values(logprobs: Sequence[float], lengths: Sequence[int] | None = None) -> list[float]:
    """Each log-probability divided by its length in one float64 division; as they are without ``lengths``.

    Raises MeasureError for a length below 1, where lm-eval would divide by zero, and for unlike numbers of both.
    """
    if lengths is None:
        return [float(logprob) for logprob in logprobs]
    if len(lengths) != len(logprobs):
        raise MeasureError(
            "each candidate needs one length", got=f"{len(lengths)} lengths", expected=f"{len(logprobs)} lengths"
        )
    for index, length in enumerate(lengths):
        if length < 1:
            raise MeasureError(
                "a candidate of no length has no normalised likelihood",
                place=f"candidate {index}",
                got=f"length {length}",
                hint="Give the candidate a text, or use the rule none.",
            )
    return [logprob / length for logprob, length in zip(logprobs, lengths, strict=True)]


def pick_first_max(values: Sequence[float]) -> tuple[int, bool]:
    """Index of the first maximum, and whether it is shared (compared exactly).

    NaN is refused: in numpy's argmax it would win over every number.
    """
    if not values:
        raise MeasureError("there is nothing to choose from", got="no values", expected="at least one value")
    for index, value in enumerate(values):
        if math.isnan(value):
            raise MeasureError("a likelihood that is not a number cannot be compared", place=f"candidate {index}")
    best = max(values)
    return values.index(best), sum(1 for value in values if value == best) > 1


def choose(candidates: Sequence[Candidate], rule: ChoiceRule) -> Choice:
    """Choose among ``candidates`` under the named ``rule``; a tie goes to the first."""
    lengths = [measure_length(candidate, rule) for candidate in candidates]
    values = choice_values([candidate.logprob for candidate in candidates], lengths)
    chosen, tie = pick_first_max(values)
    return Choice(tuple(values), chosen, tie)
