"""Typed records of a packed proof: its index ``proof.json`` (docs/reference/proof.md)."""

from typing import Literal, NotRequired, TypedDict


class ProofNumber(TypedDict):
    """A number that the proof was packed for."""

    tag: str
    run: str


class LeftOutFile(TypedDict):
    """A file of a run that the proof does not carry; the facts are the manifest's. ``why`` fits after "because"."""

    path: str
    bytes: int
    sha256: str
    why: str


class PublishedTexts(TypedDict):
    """What the texts of an axis, or of an undeclared run, travel under; ``by`` says who states it."""

    of: str
    license: str
    by: Literal["data set", "packer"]
    canary: NotRequired[str]
    attribution: NotRequired[str]


class PackedRun(TypedDict):
    """One run in a proof; ``sheet`` is the member with its numbers, ``None`` where it has none."""

    id: str
    sha256: str
    sheet: str | None
    published: list[PublishedTexts]
    left_out: list[LeftOutFile]


class PackedScorer(TypedDict):
    """A scorer with the members below ``scorers/`` that its digest is of."""

    slug: str
    version: str
    digest: str
    sources: list[str]


class ProofIndex(TypedDict):
    """``proof.json``: canonical JSON, no clock in it, so that the same runs give the same proof."""

    schema_version: Literal[1]
    kind: Literal["proof"]
    made_by: dict[str, str]
    numbers: list[ProofNumber]
    runs: list[PackedRun]
    scorers: list[PackedScorer]
