"""Typed records of a compiled bench: resolved axes and compiled items (contract-bench §1, §3; contract-formats).

Both are what a run *executes* and what is sealed with it, so that a run can be rendered, verified and rescored
without its package. The middle of a resolved axis (``task, scoring, prompt_template, demonstrations, harness,
frozen``) is the protocol of contract-archive §7: freezing copies six keys.
"""

from typing import Any, Literal, NotRequired, TypedDict

AxisType = Literal["choice", "short-answer"]
Normalization = Literal["none", "byte", "token"]


class DatasetFacts(TypedDict):
    """What is known of the data behind an axis in one language; ``sha256`` is of the data file's bytes."""

    slug: str
    version: str
    path: str
    sha256: str
    license: str
    provenance: str
    human_validated: bool
    publish_items: bool
    canary: NotRequired[str]
    attribution: NotRequired[str]
    commercial_use: NotRequired[bool]


class Scoring(TypedDict):
    """How candidates are scored; prefix and suffix are part of the exact scored continuation."""

    candidate_mode: Literal["answer_text"]
    candidate_prefix: str
    candidate_suffix: str
    normalization: Normalization
    tie_break: Literal["first"]


class Demonstration(TypedDict):
    """A solved example: fields of the template and its answer."""

    input: dict[str, str]
    answer: str


class HarnessSettings(TypedDict):
    """The harness's own version and the task configuration that it acts on."""

    version: str
    task_config: dict[str, Any]


class GenerationSettings(TypedDict):
    """Decoding of a short-answer axis. ``temperature`` 0 is greedy."""

    max_new_tokens: int
    stop: list[str]
    temperature: float


class ResolvedAxis(TypedDict):
    """One axis in one language, with nothing left to look up (``attachments/axes/<axis>.<language>.json``)."""

    schema_version: Literal[1]
    kind: Literal["resolved-axis"]
    axis: str
    type: AxisType
    task: str
    language: str
    script: str
    benchmark: str
    metric: str
    split: str
    dataset: DatasetFacts
    prompt_template: str
    demonstrations: list[Demonstration]
    scoring: Scoring
    generation: NotRequired[GenerationSettings]
    shared_prefix: NotRequired[str]
    chat_template: Literal["none", "auto", "always"]
    harness: HarnessSettings
    frozen: bool


class CompiledItem(TypedDict):
    """One item as run, in the item bank's field names (``attachments/items/<axis>.<language>.ndjson``).

    ``item_id`` is ``<language>/<global_item_id>``. A choice item has ``choices`` and ``answer_index``; a
    short-answer item has ``references``.
    """

    item_id: str
    global_item_id: str
    task: str
    language: str
    script: str
    register: str | None
    passage_id: str | None
    overlap_group_ids: list[str]
    source_item_id: str
    choices: NotRequired[list[str]]
    answer_index: NotRequired[int]
    references: NotRequired[list[str]]
    excluded: bool
    exclusion_reason: str | None
    input: dict[str, str]
    meta: NotRequired[dict[str, Any]]
