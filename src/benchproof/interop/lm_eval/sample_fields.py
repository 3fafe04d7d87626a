"""The fields of a sample line, whose values are texts and whose shapes changed with the versions (pure)."""

import math
import re
from collections.abc import Mapping
from typing import Any

_NAMED = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")


def read_choice_key(target: Any, choices: list[str]) -> list[int]:
    """Indexes of the right choices; a key that is none of them is ``[-1]``, which nothing chooses."""
    if isinstance(target, list):
        return [index for one in target for index in read_choice_key(one, choices)]
    if isinstance(target, str) and re.fullmatch(r"\[[0-9, ]*\]", target):
        return [int(number) for number in re.findall(r"[0-9]+", target)]
    text = str(target)
    if re.fullmatch(r"[0-9]{1,6}", text) and int(text) < len(choices):
        return [int(text)]
    return [choices.index(text)] if text in choices else [-1]


def count_questions(arguments: list[list[Any]]) -> int:
    """How many requests are of the question; as many again with an empty context are of the choices alone."""
    half = len(arguments) // 2
    is_doubled = len(arguments) % 2 == 0 and half > 0 and all(argument[0] == "" for argument in arguments[half:])
    has_question = any(argument[0] != "" for argument in arguments[:half])
    return half if is_doubled and has_question else len(arguments)


def list_arguments(stated: Any) -> list[list[Any]]:
    """Requests in their order: ``{"gen_args_0": {"arg_0": …}}``, or a list of lists in older logs."""
    if isinstance(stated, Mapping):
        numbered = sorted(stated.items(), key=lambda pair: _number_of(pair[0]))
        rows = [value for _, value in numbered]
    else:
        rows = stated if isinstance(stated, list) else []
    listed = []
    for row in rows:
        if isinstance(row, Mapping):
            listed.append([value for _, value in sorted(row.items(), key=lambda pair: _number_of(pair[0]))])
        elif isinstance(row, list):
            listed.append(row)
    return [row for row in listed if row]


def _number_of(name: str) -> int:
    digits = name.rpartition("_")[2]
    return int(digits) if digits.isdecimal() and len(digits) < 9 else 0


def read_likelihood(stated: Any) -> tuple[float | None, bool | None] | None:
    """``[["-0.88", "True"]]`` as a number and a truth; ``None`` where it is no such pair."""
    while isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    if not isinstance(stated, list) or not 1 <= len(stated) <= 2:
        return None
    try:
        logprob = float(stated[0])
    except (TypeError, ValueError):
        return None
    greedy = {"True": True, "False": False, True: True, False: False}.get(stated[1] if len(stated) > 1 else "")
    return (logprob if math.isfinite(logprob) else None), greedy


def read_scores(value: Mapping[str, Any], chosen: str) -> dict[str, float | None]:
    """The line's own scores by ``<metric>,<filter>``; older lines do not list their metrics."""
    names = value.get("metrics")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        names = [name for name in value if name not in _NAMED and not name.endswith("_hash")]
    scores: dict[str, float | None] = {}
    for name in names:
        stated = value.get(name)
        if isinstance(stated, bool) or (
            isinstance(stated, int | float) and math.isfinite(stated) and abs(stated) < 1 << 53
        ):
            scores[f"{name},{chosen}"] = float(stated)
        else:
            scores[f"{name},{chosen}"] = None
    return scores


def _read_score(stated: Any) -> float | None:
    """A finite number that canonical JSON can hold, or none: lists and tuples are parts of what is no mean."""
    if not isinstance(stated, bool | int | float) or not math.isfinite(stated) or abs(stated) >= 1 << 53:
        return None
    return float(stated)


def first_text(stated: Any) -> str | None:
    """The first leaf of nested lists, as a text."""
    while isinstance(stated, list):
        if not stated:
            return None
        stated = stated[0]
    return stated if isinstance(stated, str) else None if stated is None else str(stated)


def is_hex(value: Any) -> bool:
    """Whether a value is a SHA-256 in hexadecimal digits."""
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None
