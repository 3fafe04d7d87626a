"""What one item's number stands on: its lines in the sealed files, and whether they follow from one another.

The types only. ``items`` reads them from a run; ``why`` prints them, ``site`` shows them.
"""

from dataclasses import dataclass
from typing import Literal

from benchproof.rulebook import Finding

Verdict = Literal["right", "wrong", "partly", "not scored"]


@dataclass(frozen=True, slots=True)
class Spot:
    """One line of a sealed file: offset, length in bytes and SHA-256, all without the line feed."""

    path: str
    line: int
    offset: int
    length: int
    sha256: str


@dataclass(frozen=True, slots=True)
class CandidateTrace:
    """One candidate of a choice item. ``value`` is ``logprob`` / ``divisor`` (nat a byte, nat a token, or nat)."""

    text: str
    scored_text: str
    logprob: float
    divisor: int
    value: float
    tokens: int
    chosen: bool
    key: bool


@dataclass(frozen=True, slots=True)
class ChoiceTrace:
    """How a choice item was decided; ``logprob_sum`` is the exact sum over the chosen candidate's raw values."""

    normalization: str
    candidates: tuple[CandidateTrace, ...]
    chosen: int
    key: int
    tie: bool
    batching: str
    join_token: bool
    logprob_count: int
    logprob_sum: float


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """What a model wrote and how it was scored; ``sent`` is the model's exact input where a template changed it."""

    text: str
    sent: str | None
    finish: str
    generated_tokens: int
    params: dict[str, object]
    references: tuple[str, ...]
    normalized_answer: str | None
    normalized_references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemTrace:
    """One item from its bytes to its outcome.

    ``choice`` or ``answer`` is there when the item was answered, else ``reason`` says why not. ``score`` is the
    metric's, in [0, 1]; ``verdict`` says it in a word. ``faults`` lists what on the way is missing or does not
    recompute; an item without faults follows wholly from the sealed bytes.
    """

    item_id: str
    axis_key: str
    language: str
    script: str
    register: str | None
    passage_id: str | None
    headline: str
    line: int
    outcome: str
    score: float | None
    verdict: Verdict
    prompt: str
    prompt_sha256: str
    prompt_tokens: int | None
    choice: ChoiceTrace | None
    answer: AnswerTrace | None
    reason: str | None
    flags: tuple[str, ...]
    record: Spot | None
    raw: Spot | None
    faults: tuple[Finding, ...]
