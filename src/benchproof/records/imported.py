"""Typed records of an imported run: what another harness' log states, item by item (contract-proof, import).

The log's own bytes stand unchanged below ``raw/``; an axis and its records are what a reader made of them. Nothing is
added that the log does not say: an absent key is unknown.
"""

from typing import Any, Literal, NotRequired, TypedDict

SampleOutcome = Literal["answered", "truncated", "errored"]


class Origin(TypedDict):
    """Where a sample stands in the kept bytes: a line of a file, a member of an archive, or a row of a table.

    ``sha256`` is of that line's or member's bytes; ``pointer`` is a JSON Pointer inside them; ``row`` counts from 0.
    """

    path: str
    line: NotRequired[int]
    member: NotRequired[str]
    row: NotRequired[int]
    pointer: NotRequired[str]
    sha256: NotRequired[str]


class ImportedCandidate(TypedDict):
    """One scored continuation. ``logprob`` is the sum over its tokens (nat); ``None`` where it is no finite number.

    ``text`` is the choice without delimiter, as the harness' length rules count it; ``unconditioned`` is its
    log-probability without the question; ``tokens`` how many were scored.
    """

    text: str
    logprob: float | None
    is_greedy: NotRequired[bool]
    unconditioned: NotRequired[float | None]
    tokens: NotRequired[int]


class ImportedSample(TypedDict):
    """One time that an item was asked: an epoch, a repeat, a trial; ``number`` counts from 1.

    ``extracted`` is what each of the harness' filters took from the answer, ``""`` the unfiltered one where there are
    no filters; ``None`` where a filter took nothing. ``scores`` are the harness' own, by its name of the metric;
    ``None`` where it gave none. ``flags`` are words of the import rules.
    """

    number: int
    outcome: SampleOutcome
    origin: list[Origin]
    candidates: NotRequired[list[ImportedCandidate]]
    extracted: NotRequired[dict[str, str | None]]
    scores: dict[str, float | None]
    finish: NotRequired[str]
    reason: NotRequired[str]
    flags: NotRequired[list[str]]


class ImportedRecord(TypedDict):
    """One item of an imported axis with every sample of it.

    ``item_id`` is ``<language>/<first 16 digits of content_sha256>``, with ``~2`` … where the log has an item of the
    same content again. ``content_sha256`` is of what was asked and its key, as the harness itself or its reader digests
    it. ``aliases`` are the harness' names of the item. ``gold``: indexes of right choices, or right texts.
    """

    item_id: str
    task: str
    language: str
    script: str
    outcome: SampleOutcome
    content_sha256: str
    aliases: dict[str, str]
    gold: list[int] | list[str]
    samples: list[ImportedSample]


class ImportedMetric(TypedDict):
    """A metric of an imported axis: the name that we print it under, the rule that gives it, the log's own name.

    ``rule`` is a scorer that recomputes it from candidates or extracted answers, ``as-scored`` (the mean of the log's
    item scores) or ``as-reported`` (the log has no items). ``source`` is the key of a sample's ``scores``; ``filter``
    of its ``extracted``. ``options`` are the rule's own; ``why`` says why a metric is not recomputed. ``reducer`` makes
    one score of an item's samples; without it they are averaged.
    """

    metric: str
    rule: str
    source: str
    filter: NotRequired[str]
    options: NotRequired[dict[str, Any]]
    reducer: NotRequired[str]
    unit: Literal["fraction", "score"]
    why: NotRequired[str]


class ReportedNumber(TypedDict):
    """A number that the log states of the whole axis; ``place`` is ``<path below the run>#<JSON Pointer>``.

    ``source`` is the metric's name as in ``ImportedMetric``. ``value`` and ``stderr`` are ``None`` where the log has no
    finite number there; ``printed`` is then what it has. ``n`` is what the log says it is over. ``trust`` says why a
    standard error is not to be believed.
    """

    source: str
    value: float | None
    printed: NotRequired[str]
    stderr: NotRequired[float | None]
    n: NotRequired[int]
    place: str
    trust: NotRequired[str]


class ImportedAxis(TypedDict):
    """One task in one language of a log (``attachments/axes/<axis>.<language>.json``).

    ``metric`` is the first of ``metrics``. ``planned`` is the number of items that the log says were asked; with
    ``samples_each`` samples of every item.
    """

    schema_version: Literal[1]
    kind: Literal["imported-axis"]
    axis: str
    task: str
    language: str
    script: str
    benchmark: str
    metric: str
    metrics: list[ImportedMetric]
    split: str
    dataset: dict[str, Any]
    format: dict[str, str]
    planned: int
    samples_each: int
    reported: list[ReportedNumber]
