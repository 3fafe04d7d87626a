"""A gate as plain data, for ``--json``."""

from dataclasses import asdict
from typing import Any

from benchproof.analysis.gate_parts import AxisGate, Gate
from benchproof.analysis.gate_text import say_why, write_gate_headline


def describe_gate(gate: Gate) -> dict[str, Any]:
    """The whole gate; figures are not rounded, changes are candidate − reference with below 0 as worse."""
    return {
        "schema_version": 1,
        "kind": "gate",
        "headline": write_gate_headline(gate),
        "verdict": gate.verdict,
        "margin": gate.margin,
        "level": gate.level,
        "same_model": gate.is_same_model,
        "allowed": list(gate.allowed),
        "candidate": asdict(gate.candidate),
        "reference": asdict(gate.reference),
        "axes": [_describe_axis(axis) for axis in gate.axes],
        "not_gated": list(gate.not_gated),
    }


def _describe_axis(axis: AxisGate) -> dict[str, Any]:
    described = asdict(axis)
    for name in ("reasons", "differences", "blocked_by", "flags"):
        described[name] = list(described[name])
    described["unpaired"] = {name: list(ids) for name, ids in described["unpaired"].items()}
    described["why"] = say_why(axis) if axis.verdict == "cannot tell" else None
    described["worse"] = axis.is_worse
    return described
