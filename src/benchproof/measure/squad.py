"""Exact match and token F1 as the official SQuAD v1.1 and v2.0 evaluation scripts give them.

The normalisation of both is: lower case, drop ASCII punctuation, put a space for the words a, an and the, join what
white space separates. What differs: v1.1 gives F1 0 when both sides normalise to nothing, v2.0 gives 1; v2.0 leaves
out references that normalise to nothing, and takes the empty answer where none is left. Several references: the best.

Never use it for choice letters: "A" normalises to nothing. Text without spaces between words (Chinese, Thai) is one
token, so its F1 is all or nothing.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from benchproof.measure.errors import MeasureError

SquadVersion = Literal["v1.1", "v2.0"]
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalise_squad(text: str) -> str:
    """The normal form of an answer: lower case, no ASCII punctuation, no articles, single spaces."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match_squad(prediction: str, references: Sequence[str], *, version: SquadVersion = "v1.1") -> int:
    """1 if the prediction equals one of the references after normalisation, else 0."""
    return int(_best(_match, prediction, references, version))


def token_f1_squad(prediction: str, references: Sequence[str], *, version: SquadVersion = "v1.1") -> float:
    """The largest F1 of shared tokens (with multiplicity) between the prediction and a reference, 0 to 1."""
    empty_pair = 1.0 if version == "v2.0" else 0.0
    return _best(lambda one, other: _f1(one, other, empty_pair), prediction, references, version)


def _best(
    score: Callable[[str, str], float], prediction: str, references: Sequence[str], version: SquadVersion
) -> float:
    if version not in get_args(SquadVersion):
        raise MeasureError("unknown SQuAD scorer", got=repr(version), expected="v1.1 or v2.0")
    if isinstance(references, str):
        raise MeasureError("references are a list of texts", got="one text", expected="a list with that text in it")
    golds = [normalise_squad(reference) for reference in references]
    if version == "v2.0":
        golds = [gold for gold in golds if gold] or [""]
    if not golds:
        raise MeasureError(
            "an answer cannot be scored without a reference",
            got="no references",
            expected="at least one (SQuAD v2.0 reads none as: the question has no answer)",
        )
    normal = normalise_squad(prediction)
    return max(score(normal, gold) for gold in golds)


def _match(prediction: str, gold: str) -> float:
    return float(prediction == gold)


def _f1(prediction: str, gold: str, empty_pair: float) -> float:
    said, wanted = prediction.split(), gold.split()
    if not said and not wanted:
        return empty_pair
    shared = sum((Counter(said) & Counter(wanted)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(said), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)
