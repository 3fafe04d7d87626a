"""What a run report is made of: plain data, gathered by the caller; the page computes no number."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchproof.proof import ItemTrace, RunProof
from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import AxisOfRun, RunManifest
from benchproof.records.score_sheet import ScoreSheet


@dataclass(frozen=True, slots=True)
class ReportAxis:
    """One axis in one language; ``traces`` is read once, in item order."""

    axis_key: str
    resolved: ResolvedAxis
    of_run: AxisOfRun
    traces: Iterable[ItemTrace]


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run with its numbers and its proof; ``compared_with`` counts references from outside the archive."""

    manifest: RunManifest
    sha256: str
    axes: tuple[ReportAxis, ...]
    sheet: ScoreSheet
    proof: RunProof
    compared_with: int
