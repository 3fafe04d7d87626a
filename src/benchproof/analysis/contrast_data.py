"""A contrast as plain data, for ``--json``."""

from dataclasses import asdict
from typing import Any

from benchproof.analysis.contrast_parts import AxisContrast, Contrast
from benchproof.analysis.contrast_text import write_headline


def describe_contrast(contrast: Contrast) -> dict[str, Any]:
    """The whole contrast; figures are not rounded, differences are A − B in the metric's unit."""
    return {
        "schema_version": 1,
        "kind": "contrast",
        "headline": write_headline(contrast),
        "clean": contrast.is_clean,
        "same_model": contrast.is_same_model,
        "a": asdict(contrast.left),
        "b": asdict(contrast.right),
        "level": contrast.level,
        "axes": [_describe_axis(axis) for axis in contrast.axes],
        "only_a": list(contrast.only_a),
        "only_b": list(contrast.only_b),
        "apart": list(contrast.apart),
    }


def _describe_axis(axis: AxisContrast) -> dict[str, Any]:
    described = asdict(axis)
    described["interval"] = None if axis.interval is None else list(axis.interval)
    described["significant"] = axis.is_significant
    described["unpaired"] = {name: list(ids) for name, ids in described["unpaired"].items()}
    described["differences"] = list(described["differences"])
    described["flags"] = list(axis.flags)
    described["also"] = list(described["also"])
    described["flips"] = None if axis.flips is None else list(described["flips"])
    if axis.equivalence is not None and axis.equivalence.interval is not None:
        described["equivalence"]["interval"] = list(axis.equivalence.interval)
    return described
