"""What travels of a record whose texts may not: outcome, likelihoods, digests; never a text, never the key.

Law kept here: what is carried is named, and everything else is left out, so that a new field of a record stays home
until somebody lets it go.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchproof.archive import SealedRun, records_path
from benchproof.canon import canonical
from benchproof.scores import score_items

FOLDER: Final = "outcomes"
_WORDS: Final = {
    "content_sha256": re.compile(r"[0-9a-f]{64}"),
    "outcome": re.compile(r"[a-z]{1,20}"),
    "reason": re.compile(r"[a-z-]{1,40}"),
    "finish": re.compile(r"[a-z]{1,20}"),
    "normalization": re.compile(r"[a-z@-]{1,20}"),
    "raw_sha256": re.compile(r"[0-9a-f]{64}"),
}
_FIGURES: Final = ("number", "chosen", "correct", "tie", "values", "generated_tokens", "scores")
_OF_CANDIDATE: Final = ("logprob", "tokens", "utf8_bytes", "is_greedy", "unconditioned")


def outcomes_path(run_id: str, axis_key: str) -> str:
    """The member that stands in for the records of an axis."""
    return f"{FOLDER}/{run_id}/{axis_key}.ndjson"


def list_outcomes(run: SealedRun, axis_key: str) -> Iterator[bytes]:
    """A canonical line for each record of an axis, with its score where the scorer is at hand."""
    scores: dict[str, float | None] = {}
    if "resolved" in run.axis_of_run(axis_key)["protocol"]:
        scores = {one.item_id: one.score for one in score_items(run, axis_key)}
    for line, record in run.records(axis_key):
        kept = strip_record(record) | {"record_sha256": line.sha256}
        score = scores.get(kept["item_id"])
        yield canonical(kept if score is None else kept | {"score": score}) + b"\n"


def strip_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record without its texts and its key; each sample of an imported one likewise."""
    kept: dict[str, Any] = {"item_id": record["item_id"], **_strip(record)}
    samples = record.get("samples")
    return kept if samples is None else kept | {"samples": [_strip(sample) for sample in samples]}


def _strip(record: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {key: record[key] for key, form in _WORDS.items() if _is_word(record.get(key), form)}
    kept |= {key: record[key] for key in _FIGURES if _is_figure(record.get(key))}
    candidates = record.get("candidates")
    if isinstance(candidates, list):
        kept["candidates"] = [
            {key: one[key] for key in _OF_CANDIDATE if _is_figure(one.get(key))} for one in candidates
        ]
    return kept


def has_records(run: SealedRun, axis_key: str) -> bool:
    """Whether the run was sealed with records of this axis."""
    return any(entry["path"] == records_path(axis_key) for entry in run.manifest["files"])


def _is_word(value: object, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


def _is_figure(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(one is None or _is_number(one) for one in value.values())
    return _is_number(value) or (isinstance(value, list) and all(map(_is_number, value)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
