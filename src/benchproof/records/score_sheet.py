"""Typed records of a score sheet (contract-archive §8; contract-formats)."""

from typing import Any, Literal, NotRequired, TypedDict


class Scorer(TypedDict):
    """A named scorer; ``digest`` is of its source, so that a change of code is a change of scorer."""

    slug: str
    version: str
    digest: str


class SheetNumber(TypedDict):
    """One number with its denominator; floats are rounded to 12 significant digits.

    ``value`` is ``None`` where nothing was scored. ``interval`` is ``None`` where none can be given (never zero width
    for want of data); ``method`` then says why. Every planned item is counted once: ``denominator`` and all of
    ``excluded`` make ``planned``.

    Operational: ``null_rate`` is the share of planned items without a score; ``ties`` are of choice axes; ``capped``
    (answers that ran into the token limit), ``truncation_rate`` (their share) and ``empty`` (answers without visible
    text) are of generated ones.

    Of an imported axis: ``reported`` is what the log itself states (``value``, ``stderr``, ``place``, and ``agrees``:
    whether this number is that one); ``denominators`` the value over each count that a reader may mean (``over``,
    ``n``, ``value``; what is missing counts as 0 there).
    """

    tag: str
    axis: str
    dataset: str
    language: str
    slice: str
    metric: str
    unit: str
    value: float | None
    numerator: float | None
    denominator: int
    planned: int
    excluded: dict[str, int]
    interval: list[float] | None
    level: float
    method: str
    clusters: int
    chance: float | None
    null_rate: NotRequired[float]
    ties: NotRequired[int]
    capped: NotRequired[int]
    empty: NotRequired[int]
    truncation_rate: NotRequired[float]
    flags: list[str]
    also: NotRequired[list[dict[str, Any]]]
    reported: NotRequired[dict[str, Any]]
    denominators: NotRequired[list[dict[str, Any]]]


class ScoreSheet(TypedDict):
    """All numbers of one run by named scorers; same evidence and scorers, same bytes on every machine."""

    schema_version: Literal[1]
    kind: Literal["score-sheet"]
    of: dict[str, str]
    judgings: list[dict[str, str]]
    scorers: list[Scorer]
    numbers: list[SheetNumber]
