"""Item scores by the rules of Inspect's own scorers, so that its logs can be computed again.

Source: ``inspect_ai/scorer/_match.py``, ``_common.py``, ``_choice.py``, ``_pattern.py``, ``_classification.py`` and
``_metric.py`` (``value_to_float``), 0.3.285. Numeric matching is not repeated, and no pattern of a log is run.
"""

import math
import re
import string
from collections.abc import Sequence
from typing import Any, Literal, get_args

from benchproof.measure.errors import MeasureError

MatchLocation = Literal["begin", "end", "any", "exact"]

_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_TRUTHS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_TRIM = string.whitespace + string.punctuation
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def value_inspect(value: Any) -> float | None:
    """A score's value as Inspect's metrics take it; ``None`` where it has no number for it, and would count 0.

    C, P, I and N are 1, 0.5, 0 and 0; yes, true, no and false 1 and 0; numbers and their texts are themselves. NaN,
    the mark of a sample that was not scored, is NaN.
    """
    if isinstance(value, str):
        if value in _WORDS:
            return _WORDS[value]
        word = value.lower()
        return _TRUTHS[word] if word in _TRUTHS else _parse_finite(word)
    return float(value) if isinstance(value, bool | int | float) and _is_small(value) else None


def match_inspect(answer: str, targets: Sequence[str], location: str = "end", *, ignore_case: bool = True) -> int:
    """``match``: 1 if the answer begins with, ends with, contains or is a target, punctuation around both aside."""
    if location not in get_args(MatchLocation):
        raise MeasureError("there is no such place to match at", got=repr(location)[:80], expected="begin, end, any")

    def strip(text: str) -> str:
        text = text.strip()
        return (text.casefold() if ignore_case else text).strip(_TRIM)

    taken = strip(answer)
    return int(any(_is_at(taken, strip(target), location) for target in targets))


def includes_inspect(answer: str, targets: Sequence[str], *, ignore_case: bool = True) -> int:
    """``includes``: 1 if a target stands in the answer."""
    if not ignore_case:
        return int(any(target in answer for target in targets))
    folded = answer.casefold()
    return int(any(target.casefold() in folded for target in targets))


def exact_inspect(answer: str, targets: Sequence[str]) -> int:
    """``exact``: 1 if answer and target are the same words, without case, punctuation and articles.

    A target of which nothing is left matches nothing.
    """
    taken = _normalise(answer)
    return int(any(normal == taken for normal in map(_normalise, targets) if normal))


def choice_inspect(answer: str | None, targets: Sequence[str]) -> int:
    """``choice``: 1 if the letters that were chosen are those of the key; after Z come 1, 2 and so on."""
    return int(sorted(_read_letters([answer or ""])) == sorted(_read_letters(targets)))


def pattern_inspect(answer: str | None, targets: Sequence[str], *, ignore_case: bool = True) -> int:
    """``pattern`` and ``answer``: 1 if what the pattern took from the answer is a target; nothing taken is wrong."""
    if not answer:
        return 0
    if ignore_case:
        return int(answer.lower() in [target.lower() for target in targets])
    return int(answer in targets)


def _is_at(text: str, target: str, location: str) -> bool:
    if location == "begin":
        return text.startswith(target)
    if location == "end":
        return text.endswith(target)
    return text == target if location == "exact" else target in text


def _read_letters(texts: Sequence[str]) -> list[str]:
    letters: list[str] = []
    for text in texts:
        for token in text.replace(",", " ").split():
            letters += [token] if token.isnumeric() else list(token.upper())
    return letters


def _normalise(text: str) -> str:
    return " ".join(token for token in map(_normalise_token, re.split(" |-", text)) if token)


def _normalise_token(token: str) -> str:
    token = token.casefold()
    number = next((one for one in (token, token.strip(_TRIM)) if _parse_finite(one) is not None), None)
    if number is not None:
        return str(float(number))
    token = "".join(character for character in token if character not in string.punctuation)
    return " ".join(_ARTICLES.sub(" ", token).split())


def _parse_finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and _is_small(number) else None


def _is_small(value: float) -> bool:
    """Whether canonical JSON can hold it; NaN passes, as the mark that it is."""
    return not abs(value) >= 1 << 53
