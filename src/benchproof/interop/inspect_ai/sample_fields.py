"""The fields of an Inspect sample, whose layouts changed with the versions (pure).

Long texts are ``attachment://<digest>`` and stand in the sample's own ``attachments``; that digest is no cryptographic
one, so the text itself is what counts. A single ``score`` (before 0.3.20) is the one under the scorer's name.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from benchproof.interop.inspect_ai.header import first_line, read_table, read_text
from benchproof.interop.inspect_ai.scoring import ScoreEntry
from benchproof.measure.inspect_ai import value_inspect

ATTACHMENT = "attachment://"
_CAPS = frozenset({"max_tokens", "model_length"})
SINGLE = "score"
"""Where a sample has one score without a name."""


class Content(NamedTuple):
    """What was asked and its key."""

    asked: list[Any]
    gold: list[str]


class ReadScore(NamedTuple):
    """A score as Inspect's metrics take it; ``unconverted`` where it has no number, and they count it as 0."""

    value: float | None
    unconverted: bool = False


def is_sample(value: Any) -> bool:
    """Whether a document is a sample of a log."""
    return isinstance(value, dict) and {"id", "epoch", "input", "target"} <= value.keys()


def read_content(sample: Mapping[str, Any]) -> Content:
    """Question, choices, key, and the files that came with it; ids of messages are drawn anew for each log."""
    stored = read_table(sample.get("attachments"))
    target = sample.get("target")
    targets = target if isinstance(target, list) else [target]
    gold = [resolve(one, stored) if isinstance(one, str) else str(one) for one in targets if one is not None]
    choices = sample.get("choices")
    asked = [
        _read_input(sample.get("input"), stored),
        [resolve(str(choice), stored) for choice in choices] if isinstance(choices, list) else [],
        [str(name) for name in sample["files"]] if isinstance(sample.get("files"), list) else [],
        resolve(read_text(sample.get("setup")), stored),
    ]
    return Content(asked, gold)


def resolve(text: str, stored: Mapping[str, Any]) -> str:
    """The text that an attachment stands for; one that is not in the log stays as it is."""
    if text.startswith(ATTACHMENT):
        found = stored.get(text.removeprefix(ATTACHMENT))
        return found if isinstance(found, str) else text
    return text


def read_completion(sample: Mapping[str, Any]) -> str | None:
    """The model's answer as a scorer gets it, empty where there was none; ``None`` where the log has no output."""
    choice = _first_choice(sample)
    if choice is None:
        return "" if read_table(sample.get("output")).get("choices") == [] else None
    stored = read_table(sample.get("attachments"))
    return read_message(read_table(choice.get("message")).get("content"), stored)


def read_message(content: Any, stored: Mapping[str, Any]) -> str:
    """The text of a message: its one text, or its parts that are text, a line each."""
    if isinstance(content, str):
        return resolve(content, stored)
    parts = content if isinstance(content, list) else []
    texts = [one.get("text") for one in parts if isinstance(one, dict) and one.get("type") == "text"]
    return "\n".join(resolve(text, stored) for text in texts if isinstance(text, str))


def is_capped(sample: Mapping[str, Any]) -> bool:
    """Whether the answer ended because no more tokens were allowed."""
    choice = _first_choice(sample)
    return choice is not None and choice.get("stop_reason") in _CAPS


def read_scores(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Each score of a sample by name."""
    scores = sample.get("scores")
    if isinstance(scores, dict):
        return scores
    return {SINGLE: sample["score"]} if isinstance(sample.get("score"), dict) else {}


def find_score(scores: Mapping[str, Any], entry: ScoreEntry) -> Any:
    """The value that an entry is over: its own score, or its key in a score of several values; ``None`` for none."""
    own = read_table(scores.get(entry.name)).get("value")
    if own is not None and (entry.name == entry.scorer or not isinstance(own, dict)):
        return own
    several = read_table(scores.get(entry.scorer)).get("value")
    if isinstance(several, dict):
        return several.get(entry.name)
    return read_table(scores[SINGLE]).get("value") if list(scores) == [SINGLE] else None


def convert_score(value: Any) -> ReadScore:
    """A value as a number: NaN and null are the marks of a sample that was not scored."""
    if value is None:
        return ReadScore(None)
    number = value_inspect(value)
    if number is None:
        return ReadScore(0.0, unconverted=True)
    return ReadScore(None if math.isnan(number) else number)


def read_answer(scores: Mapping[str, Any], entry: ScoreEntry, stored: Mapping[str, Any]) -> str | None:
    """What the scorer took for the answer."""
    score = scores.get(entry.name, scores.get(SINGLE))
    answer = score.get("answer") if isinstance(score, dict) else None
    return resolve(answer, stored) if isinstance(answer, str) else None


def list_edited(scores: Mapping[str, Any]) -> list[str]:
    """Names of scores that were changed: the first entry of a history is the score as it was given."""
    return [
        name for name, score in scores.items()
        if isinstance(score, dict) and isinstance(score.get("history"), list) and len(score["history"]) > 0
    ]  # fmt: skip


def read_error(sample: Mapping[str, Any]) -> str:
    """The first line of what ended a sample, or nothing."""
    error = sample.get("error")
    if error is None:
        return ""
    return first_line(read_table(error).get("message")) or "an error without a message"


def read_limit(sample: Mapping[str, Any]) -> str:
    """The limit that ended a sample, in words, or nothing."""
    limit = read_table(sample.get("limit"))
    return f"{str(limit.get('type'))[:40]} limit {str(limit.get('limit'))[:20]}" if limit else ""


def _first_choice(sample: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = read_table(sample.get("output")).get("choices")
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None


def _read_input(stated: Any, stored: Mapping[str, Any]) -> Any:
    if not isinstance(stated, list):
        return resolve(stated, stored) if isinstance(stated, str) else str(stated)
    return [[str(read_table(one).get("role")), _read_parts(read_table(one).get("content"), stored)] for one in stated]


def _read_parts(content: Any, stored: Mapping[str, Any]) -> Any:
    if isinstance(content, str):
        return resolve(content, stored)
    parts = content if isinstance(content, list) else []
    return [
        {key: resolve(value, stored) for key, value in sorted(part.items()) if key != "id" and isinstance(value, str)}
        for part in parts
        if isinstance(part, dict)
    ]
