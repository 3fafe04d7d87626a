"""One axis of a gate before its family is known: whether it can be held at all, and the figures that decide."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from benchproof.analysis.contrast import say_apart
from benchproof.analysis.contrast_parts import ScoredAxis
from benchproof.analysis.gate_pairs import AxisChange, measure_axis
from benchproof.analysis.gate_parts import AxisGate
from benchproof.analysis.pairing import Unpaired
from benchproof.results import differing_keys, find_direction

ITEM_KEYS = ("items", "bench_digest")
"""Keys that say that the two runs were to answer other items."""


@dataclass(frozen=True, slots=True)
class OpenAxis:
    """An axis before the family is known; ``measured`` where there are figures."""

    gate: AxisGate
    measured: AxisChange | None = None

    @property
    def is_open(self) -> bool:
        """Whether the figures decide."""
        return self.measured is not None and not self.gate.reasons


def refuse(gate: AxisGate, reason: str) -> AxisGate:
    """The gate with one more reason why nothing can be told."""
    return replace(gate, reasons=(*gate.reasons, reason))


def open_axis(candidate: ScoredAxis | None, reference: ScoredAxis, allow: Collection[str], level: float) -> OpenAxis:
    """Look at one axis of the reference; ``candidate`` is ``None`` where the candidate has no such axis."""
    gate = _name_axis(candidate, reference)
    if candidate is None:
        return OpenAxis(refuse(gate, "the candidate has no such axis"))
    if (words := say_apart(candidate, reference)) is not None:
        return OpenAxis(refuse(gate, words.partition(": ")[2]))
    direction = find_direction(gate.metric)
    differences = tuple(differing_keys(reference.standing, candidate.standing))
    blocked = tuple(each.key for each in differences if each.hard and each.key not in allow)
    gate = replace(gate, differences=differences, blocked_by=blocked, lower_is_better=direction == "lower")
    if direction == "unknown":
        return OpenAxis(refuse(gate, f"whether more of {gate.metric} is better is not known"))
    measured = measure_axis(
        candidate.items,
        reference.items,
        lower_is_better=gate.lower_is_better,
        may_lack_items=any(difference.key in ITEM_KEYS for difference in differences),
        level=level,
    )
    if isinstance(measured, Unpaired):
        return OpenAxis(replace(refuse(gate, "no item was scored in both runs"), unpaired=measured))
    gate = _add_figures(gate, measured)
    if blocked:
        gate = refuse(gate, f"confounded by {', '.join(blocked)}")
    if measured.missing and not measured.is_bounded:
        gate = refuse(gate, "answers are missing, and nothing bounds their scores")
    if not (measured.cautious.can_tell and measured.kind.can_tell):
        gate = refuse(gate, gate.method.removeprefix("no interval: "))
    return OpenAxis(gate, measured)


def _name_axis(candidate: ScoredAxis | None, reference: ScoredAxis) -> AxisGate:
    return AxisGate(
        axis=reference.axis,
        language=reference.standing.language,
        benchmark=reference.standing.benchmark,
        metric=reference.standing.metric,
        unit=reference.unit,
        tag=f"{candidate.tag}..{reference.tag}" if candidate else reference.tag,
        verdict="cannot tell",
        reasons=(),
        differences=(),
        planned=len(reference.items),
    )


def _add_figures(gate: AxisGate, measured: AxisChange) -> AxisGate:
    interval = measured.plain.interval
    return replace(
        gate,
        n=measured.plain.n,
        missing=measured.missing,
        unpaired=measured.unpaired,
        clusters=measured.clusters,
        mean_reference=measured.mean_reference,
        mean_candidate=measured.mean_candidate,
        change=measured.plain.mean,
        gains=measured.gains,
        losses=measured.losses,
        method=interval.method,
        flags=interval.flags,
    )
