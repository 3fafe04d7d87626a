"""The named scorers: one item's record in, one score in [0, 1] out.

A scorer's slug is the metric that an axis names. Its digest is that of every source file that a number under it
depends on, down to the error bars, so that changed code is another scorer and makes another sheet.
"""

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, Protocol

from benchproof.canon import digest
from benchproof.measure import CHOICE_RULES, Candidate, ChoiceRule, choose, exact_match_squad, token_f1_squad
from benchproof.measure.squad import SquadVersion
from benchproof.records.bench import AxisType, CompiledItem
from benchproof.records.score_sheet import Scorer
from benchproof.scores.errors import ScoresError

# Every number stands on these files, whatever its scorer.
_SHARED_SOURCES = (
    "measure/chance.py",
    "measure/clusters.py",
    "measure/flags.py",
    "measure/intervals.py",
    "measure/proportions.py",
    "measure/quantiles.py",
    "measure/sandwich.py",
    "scores/clusters.py",
    "scores/item_scores.py",
    "scores/numbers.py",
    "scores/score_columns.py",
    "scores/scorers.py",
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A score in [0, 1]; ``tie`` where the best value was shared, ``empty`` where the answer has no visible text."""

    score: float
    tie: bool = False
    empty: bool = False


class ItemScorer(Protocol):
    """What scores one answered item of one type of axis."""

    @property
    def slug(self) -> str:
        """The metric that it gives."""
        ...

    @property
    def version(self) -> str:
        """Raised when the scorer is meant to give another score; the digest tells of every other change."""
        ...

    @property
    def axis_type(self) -> AxisType:
        """The type of axis that it can score."""
        ...

    @property
    def sources(self) -> tuple[str, ...]:
        """Its source files beside the shared ones, relative to the package."""
        ...

    def score_item(self, item: CompiledItem, record: Mapping[str, Any]) -> Scored:
        """The score of an answered item; raises KeyError or TypeError for a record of another shape."""
        ...


@dataclass(frozen=True, slots=True)
class ChoiceAccuracy:
    """1 where the first maximum of the candidates' values under ``rule`` is the key."""

    rule: ChoiceRule
    version: str = "1"
    axis_type: Literal["choice"] = "choice"
    sources: tuple[str, ...] = ("measure/choice.py",)

    @property
    def slug(self) -> str:
        """``choice-accuracy.<rule>``."""
        return f"choice-accuracy.{self.rule}"

    def score_item(self, item: CompiledItem, record: Mapping[str, Any]) -> Scored:
        """Recomputed from the record's likelihoods and the item's key, not from what the record says was chosen."""
        candidates = [
            Candidate(one["text"], one["scored_text"], one["tokens"], one["logprob"]) for one in record["candidates"]
        ]
        choice = choose(candidates, self.rule)
        return Scored(float(choice.chosen == item["answer_index"]), tie=choice.tie)


@dataclass(frozen=True, slots=True)
class SquadAnswer:
    """An answer against its references under SQuAD's normalisation: all or nothing, or the tokens shared."""

    metric: Literal["exact-match", "token-f1"]
    squad: SquadVersion
    version: str = "1"
    axis_type: Literal["short-answer"] = "short-answer"
    sources: tuple[str, ...] = ("measure/squad.py",)

    @property
    def slug(self) -> str:
        """``<metric>.squad-<version>``."""
        return f"{self.metric}.squad-{self.squad}"

    def score_item(self, item: CompiledItem, record: Mapping[str, Any]) -> Scored:
        """An empty answer is an answer: it is compared like any other."""
        answer = record["answer"]
        compare = exact_match_squad if self.metric == "exact-match" else token_f1_squad
        return Scored(float(compare(answer, item["references"], version=self.squad)), empty=not answer.strip())


_SQUAD: tuple[SquadVersion, ...] = ("v1.1", "v2.0")
_ALL: tuple[ItemScorer, ...] = (
    *(ChoiceAccuracy(rule) for rule in CHOICE_RULES),
    *(SquadAnswer("exact-match", squad) for squad in _SQUAD),
    *(SquadAnswer("token-f1", squad) for squad in _SQUAD),
)
SCORERS: Mapping[str, ItemScorer] = {scorer.slug: scorer for scorer in sorted(_ALL, key=lambda one: one.slug)}


def list_scorers() -> list[Scorer]:
    """Slug, version and digest of every scorer at hand, by slug."""
    return [describe_scorer(scorer) for scorer in SCORERS.values()]


def find_scorer(slug: str) -> ItemScorer:
    """The scorer of a metric; an unknown one is refused with the nearest names."""
    scorer = SCORERS.get(slug)
    if scorer is None:
        near = difflib.get_close_matches(slug, SCORERS, n=3, cutoff=0.3)
        raise ScoresError("there is no such scorer", got=repr(slug), expected="one of " + ", ".join(near or SCORERS))
    return scorer


def describe_scorer(scorer: ItemScorer) -> Scorer:
    """The scorer as a sheet names it."""
    return {"slug": scorer.slug, "version": scorer.version, "digest": digest_sources(scorer.sources)}


def read_source_files(sources: tuple[str, ...]) -> dict[str, bytes]:
    """A scorer's own source files and the shared ones, by path below the package."""
    package = resources.files("benchproof")
    return {path: package.joinpath(path).read_bytes() for path in sorted({*_SHARED_SOURCES, *sources})}


@cache
def digest_sources(sources: tuple[str, ...]) -> str:
    """SHA-256 of the canonical list of {path, sha256} of the scorer's own and the shared source files."""
    listed = [
        {"path": path, "sha256": hashlib.sha256(data).hexdigest()} for path, data in read_source_files(sources).items()
    ]
    return digest(listed)
