"""Gates: whether a candidate lost more than a margin against a reference (contract-proof, gate).

Laws: *pass* is shown (the one-sided lower bound of the change is above −margin), *fail* is shown (the upper bound is
below it), and everything else is *cannot tell*, never a pass. Where a hard key differs, a change is not the model's,
and nothing can be told unless that key was allowed to differ. Passes of one gate are one family, and so are its
fails (Holm): the chance that any axis passes wrongly, and that any fails wrongly, is at most 1 − level each.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from benchproof.analysis.contrast_parts import ScoredRun, Side
from benchproof.analysis.errors import GateError
from benchproof.analysis.gate_axis import OpenAxis, open_axis, refuse
from benchproof.analysis.gate_family import Step, show_family
from benchproof.analysis.gate_pairs import AxisChange
from benchproof.analysis.gate_parts import AxisGate, Gate, Shown
from benchproof.analysis.gate_power import count_items
from benchproof.measure import lower_bound, p_above, p_below, upper_bound
from benchproof.results import load_catalogue

ALLOWED_BESIDE_SETTINGS = ("bench_digest",)
"""What may differ on request beside the setting keys: two states of a draft of a bench."""


def gate_runs(
    candidate: ScoredRun,
    reference: ScoredRun,
    *,
    margin: float,
    axes: Collection[str] = (),
    allow: Collection[str] = (),
    level: float = 0.95,
) -> Gate:
    """Hold a candidate against a reference.

    Args:
        candidate: The run that is to be let through.
        reference: The run that it must not fall behind.
        margin: The largest loss that is let through, in the metric's unit.
        axes: Axes (``reading``) or axis keys (``reading.en``) of the reference; all of them where none is named.
        allow: Hard keys that may differ.
        level: Of the one-sided bounds; 1 − level is the size of the tests.

    Raises:
        GateError: The same run twice, an unknown axis or key, a margin or level out of range.
    """
    check_gate_call(candidate.side, reference.side, margin, level, allow)
    keys = select_axes(sorted(reference.axes), axes)
    found = [open_axis(candidate.axes.get(key), reference.axes[key], allow, level) for key in keys]
    return Gate(
        candidate=candidate.side,
        reference=reference.side,
        axes=tuple(_decide(found, margin, level)),
        margin=margin,
        level=level,
        allowed=tuple(sorted(set(allow))),
        not_gated=tuple(sorted(set(candidate.axes) - set(reference.axes))) if not axes else (),
    )


def select_axes(keys: Sequence[str], wanted: Collection[str]) -> list[str]:
    """The axis keys that ``wanted`` names, whole or by their axis alone; all where it names none."""
    if not keys:
        raise GateError("the reference has no axis to gate", expected="a run with records")
    if not wanted:
        return list(keys)
    chosen: set[str] = set()
    for name in wanted:
        named = {key for key in keys if name in (key, key.rpartition(".")[0])}
        if not named:
            raise GateError(
                "the reference has no such axis", got=name, expected=", ".join(keys), hint="Name AXIS or AXIS.LANGUAGE"
            )
        chosen |= named
    return sorted(chosen)


def _decide(found: Sequence[OpenAxis], margin: float, level: float) -> list[AxisGate]:
    """Verdicts over the family of the axes that figures can decide; the others keep theirs."""
    family = [each.measured for each in found if each.measured is not None and each.is_open]
    above = iter(show_family([p_above(one.cautious, -margin) or 0.0 for one in family], level))
    below = iter(show_family([p_below(one.kind, -margin) or 0.0 for one in family], level))
    decided = []
    for each in found:
        if each.measured is None or not each.is_open:
            decided.append(each.gate)
            continue
        decided.append(_judge(each.gate, each.measured, next(above), next(below), margin, 1.0 - level, len(family)))
    return decided


def _judge(
    gate: AxisGate, measured: AxisChange, above: Step, below: Step, margin: float, alpha: float, family: int
) -> AxisGate:
    lower, upper = lower_bound(measured.cautious, above.alpha), upper_bound(measured.kind, below.alpha)
    if lower is None or upper is None:
        raise AssertionError("an axis that figures decide has bounds")
    gate = replace(
        gate,
        verdict="pass" if above.is_shown else "fail" if below.is_shown else "cannot tell",
        above=Shown(lower, 1.0 - above.alpha, above.p, above.p_holm),
        below=Shown(upper, 1.0 - below.alpha, below.p, below.p_holm),
    )
    if gate.verdict != "cannot tell":
        return gate
    items = count_items(measured.plain, margin, alpha / family)
    if measured.missing and _would_decide(measured, margin, above.alpha, below.alpha):
        return replace(refuse(gate, "the missing answers decide"), items=None)
    return replace(refuse(gate, "too few items for this margin"), items=items)


def _would_decide(measured: AxisChange, margin: float, alpha_above: float, alpha_below: float) -> bool:
    """Whether the scored items alone would have decided."""
    above, below = p_above(measured.plain, -margin), p_below(measured.plain, -margin)
    return (above is not None and above <= alpha_above) or (below is not None and below <= alpha_below)


def check_gate_call(candidate: Side, reference: Side, margin: float, level: float, allow: Collection[str]) -> None:
    """Refuse what can be no gate."""
    if candidate.sha256 == reference.sha256:
        raise GateError(
            "the candidate is the reference", got=candidate.run, expected="two runs", hint="Name another run"
        )
    if not 0.0 < margin < 1.0:
        raise GateError(
            "a margin lies between 0 and 1",
            got=f"{margin:g}",
            expected="for example 0.02, which is two points",
            hint="No number of items shows that nothing at all is lost",
        )
    if not 0.5 <= level < 1.0:
        raise GateError("a level lies between 0.5 and 1", got=f"{level:g}", expected="for example 0.95")
    known = [*(key.name for key in load_catalogue().settings), *ALLOWED_BESIDE_SETTINGS]
    for key in allow:
        if key not in known:
            raise GateError("no such key", got=key, expected=", ".join(known), hint="The first line names what differs")
