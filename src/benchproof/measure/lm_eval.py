"""Item scores by the rules of EleutherAI's lm-evaluation-harness, so that its logs can be computed again.

Source: ``lm_eval/api/task.py`` (``process_results``) and ``lm_eval/api/metrics.py`` of the versions 0.4.9 to 0.4.13.
What that program does with values that are no numbers is not repeated: numpy's argmax lets a NaN win, which is a
fault of the log (``MeasureError``), never a choice.
"""

import math
import re
import string
from collections.abc import Collection, Sequence

from benchproof.measure.choice import Choice, pick_first_max
from benchproof.measure.errors import MeasureError

_LONGEST_SEARCHED = 8192
"""Characters that a pattern of a log is let loose on: with one quantifier, time grows with their square."""

_QUANTIFIED = re.compile(r"(?<!\\)(?:[*+?]|\{[0-9,]+\})")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DIGITS = str.maketrans("", "", string.digits)


def choose_by_mutual_information(logprobs: Sequence[float], unconditioned: Sequence[float]) -> Choice:
    """``acc_mutual_info``: the first maximum of log p(choice | question) − log p(choice), in nat."""
    if len(logprobs) != len(unconditioned):
        raise MeasureError(
            "each candidate needs a log-probability with the question and one without it",
            got=f"{len(unconditioned)} without",
            expected=str(len(logprobs)),
        )
    values = [with_question - alone for with_question, alone in zip(logprobs, unconditioned, strict=True)]
    chosen, tie = pick_first_max(values)
    return Choice(tuple(values), chosen, tie)


def brier_lm_eval(logprobs: Sequence[float], gold: int) -> float:
    """One item's Brier score, 0 to 2: squared distance of softmax(log-probabilities) to the right choice.

    No length normalisation. Lower is better.
    """
    if not 0 <= gold < len(logprobs):
        raise MeasureError("the key is none of the candidates", got=str(gold), expected=f"0 to {len(logprobs) - 1}")
    highest = max(logprobs)
    if not math.isfinite(highest):
        raise MeasureError("a likelihood that is not a number gives no Brier score", got=repr(highest))
    weights = [math.exp(value - highest) for value in logprobs]
    total = math.fsum(weights)
    return math.fsum((weight / total - (index == gold)) ** 2 for index, weight in enumerate(weights))


def exact_match_lm_eval(
    prediction: str,
    references: Collection[str],
    *,
    regexes_to_ignore: Sequence[str] = (),
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
) -> int:
    """1 if the prediction equals a reference after what is to be ignored was taken out of both, in that order.

    The patterns come from a log, so only those that cannot run away are used: at most one quantifier, no group.

    Raises:
        MeasureError: A pattern that might run away, or is none; a text too long to be searched by one.
    """
    for pattern in regexes_to_ignore:
        _check_pattern(pattern, max(len(prediction), *(len(reference) for reference in references), 0))

    def strip(text: str) -> str:
        for pattern in regexes_to_ignore:
            text = re.sub(pattern, "", text)
        if ignore_case:
            text = text.lower()
        if ignore_punctuation:
            text = text.translate(_PUNCTUATION)
        return text.translate(_DIGITS) if ignore_numbers else text

    return int(strip(prediction) in {strip(reference) for reference in references})


def _check_pattern(pattern: object, length: int) -> None:
    text = pattern.removeprefix("(?s)").removeprefix("(?i)") if isinstance(pattern, str) else ""
    is_tame = 0 < len(text) <= 200 and not re.search(r"(?<!\\)[()|]", text) and len(_QUANTIFIED.findall(text)) <= 1
    try:
        is_tame = is_tame and re.compile(text) is not None
    except re.error:
        is_tame = False
    if not is_tame:
        raise MeasureError(
            "a pattern that the log wants ignored is not used: it might never end",
            got=repr(pattern)[:120],
            expected="a pattern without groups and with at most one quantifier",
        )
    if length > _LONGEST_SEARCHED:
        raise MeasureError("the text is too long to be searched by a log's pattern", got=f"{length:,} characters")
