"""Typed records of a run: raw lines, item records, the manifest (contract-archive §7; contract-formats)."""

from typing import Any, Literal, NotRequired, TypedDict

from benchproof.records.bench import Normalization

Outcome = Literal["answered", "truncated", "errored", "excluded"]


class RawCandidate(TypedDict):
    """Token-level values of one scored continuation; log-probabilities are natural logarithms (nat)."""

    token_ids: list[int]
    token_logprobs: list[float]
    is_greedy: bool


class RawChoice(TypedDict):
    """The raw line of a choice item. Prompt and candidate texts stand once, in the choice record."""

    axis: str
    call: Literal["loglikelihood"]
    item_id: str
    prompt_sha256: str
    batching: str
    context_tokens: int
    join_token: bool
    candidates: list[RawCandidate]
    flags: NotRequired[list[str]]


class RawGeneration(TypedDict):
    """The raw line of a generated answer: exact model input and output.

    ``sent`` is the exact text given to the model where a chat template changed it; absent where it is ``prompt``.
    """

    axis: str
    call: Literal["generate"]
    item_id: str
    prompt: str
    sent: NotRequired[str]
    prompt_tokens: int
    params: dict[str, Any]
    text: str
    token_ids: list[int]
    finish: Literal["stop", "length", "eos"]
    flags: NotRequired[list[str]]


class RawFailure(TypedDict):
    """The raw line of a call that gave no answer: an infrastructure failure, or an item that does not fit."""

    axis: str
    call: Literal["loglikelihood", "generate"]
    item_id: str
    prompt_sha256: str
    error: str
    detail: str


RawLine = RawChoice | RawGeneration | RawFailure


class RecordCandidate(TypedDict):
    """One candidate of a choice record; ``logprob`` is the exact sum (fsum) of its token log-probabilities."""

    text: str
    scored_text: str
    utf8_bytes: int
    tokens: int
    logprob: float


class ChoiceRecord(TypedDict):
    """The choice record that ``verify`` recomputes from axis, item and raw line alone."""

    item_id: str
    task: str
    language: str
    script: str
    outcome: Literal["answered"]
    prompt: str
    candidates: list[RecordCandidate]
    normalization: Normalization
    values: list[float]
    chosen: int
    answer_index: int
    correct: bool
    tie: bool
    raw_sha256: str


class AnswerRecord(TypedDict):
    """The record of a generated answer. No score in it: gold is in the compiled items."""

    item_id: str
    task: str
    language: str
    script: str
    outcome: Literal["answered"]
    answer: str
    finish: Literal["stop", "length", "eos"]
    generated_tokens: int
    raw_sha256: str


class FailureRecord(TypedDict):
    """The record of an item without an answer: never an empty answer, never a score."""

    item_id: str
    task: str
    language: str
    script: str
    outcome: Literal["truncated", "errored", "excluded"]
    reason: str
    raw_sha256: NotRequired[str]


ItemRecord = ChoiceRecord | AnswerRecord | FailureRecord


class ModelIdentity(TypedDict):
    """Who answered. ``weights_sha256`` where the weights are local; unknown facts are the string ``unknown``."""

    id: str
    model: str
    revision: str
    family: str
    variant: Literal["base", "instruct", "chat", "reasoning", "other", "unknown"]
    backend: str
    runtime: str
    runtime_version: str
    weights_sha256: NotRequired[str]
    made_from_sha256: NotRequired[str]
    quantization: str
    chat_template: str


class Batching(TypedDict):
    """How likelihoods of a choice axis were computed; each key can change a quantised model's values."""

    method: str
    logits_rows: str
    decode_last_token: bool
    n_ubatch: int
    kv_type: str
    flash_attention: bool
    threads: int


class PlannedItems(TypedDict):
    """Which items were planned; ``digest`` is of the canonical sorted list of item ids."""

    planned: int
    selection: str
    digest: str


class AxisOfRun(TypedDict):
    """One axis in one language of a run, as its manifest states it."""

    axis: str
    language: str
    script: str
    dataset: dict[str, Any]
    benchmark: str
    metric: str
    protocol: dict[str, str]
    strict: bool
    setting: dict[str, Any]
    batching: NotRequired[Batching]
    items: PlannedItems
    counts: dict[str, int]


class FileEntry(TypedDict):
    """One file of a run; ``path`` is relative, with forward slashes."""

    path: str
    bytes: int
    sha256: str


class RunManifest(TypedDict):
    """The manifest of a sealed run: canonical, written last; its SHA-256 is the run's identity."""

    schema_version: Literal[1]
    kind: Literal["run"]
    id: str
    status: Literal["sealed"]
    created_at: str
    sealed_at: str
    synthetic: bool
    partial: bool
    model: ModelIdentity
    axes: list[AxisOfRun]
    bench: dict[str, Any]
    harness: dict[str, str]
    environment: dict[str, Any]
    seeds: dict[str, int]
    derived_from: NotRequired[dict[str, Any]]
    imported_from: NotRequired[dict[str, Any]]
    files: list[FileEntry]


class RunOpening(TypedDict):
    """What is fixed when a run opens: the manifest without what only sealing knows (``opening.json``).

    ``counts`` of each axis is empty and the ``items`` key of its setting is closed at sealing.
    """

    schema_version: Literal[1]
    id: str
    created_at: str
    synthetic: bool
    model: ModelIdentity
    axes: list[AxisOfRun]
    bench: dict[str, Any]
    harness: dict[str, str]
    environment: dict[str, Any]
    seeds: dict[str, int]
    derived_from: NotRequired[dict[str, Any]]
    imported_from: NotRequired[dict[str, Any]]
    options: dict[str, Any]
