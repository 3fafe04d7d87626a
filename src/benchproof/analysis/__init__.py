"""Comparisons of what was measured: contrasts across runs, and gates."""

from benchproof.analysis.contrast import contrast_runs
from benchproof.analysis.contrast_data import describe_contrast
from benchproof.analysis.contrast_parts import AxisContrast, Contrast, Flip, ScoredAxis, ScoredRun, Side
from benchproof.analysis.contrast_text import explain_contrasts, render_contrast
from benchproof.analysis.errors import AnalysisError, ContrastError, GateError
from benchproof.analysis.evidence import ComparedRun, compare_runs, gate_sealed_runs
from benchproof.analysis.gate import gate_runs
from benchproof.analysis.gate_annotations import list_annotations, write_annotation
from benchproof.analysis.gate_data import describe_gate
from benchproof.analysis.gate_junit import render_gate_junit
from benchproof.analysis.gate_markdown import render_gate_markdown
from benchproof.analysis.gate_parts import AxisGate, Gate
from benchproof.analysis.gate_text import render_gate
from benchproof.analysis.pairing import Pair, ScoredItem, Unpaired
from benchproof.analysis.version_contrast import VersionContrast, contrast_versions
from benchproof.analysis.version_runs import choose_runs, read_version
from benchproof.analysis.version_text import describe_versions, render_versions

__all__ = [
    "AnalysisError",
    "AxisContrast",
    "AxisGate",
    "ComparedRun",
    "Contrast",
    "ContrastError",
    "Flip",
    "Gate",
    "GateError",
    "Pair",
    "ScoredAxis",
    "ScoredItem",
    "ScoredRun",
    "Side",
    "Unpaired",
    "VersionContrast",
    "choose_runs",
    "compare_runs",
    "contrast_runs",
    "contrast_versions",
    "describe_contrast",
    "describe_gate",
    "describe_versions",
    "explain_contrasts",
    "gate_runs",
    "gate_sealed_runs",
    "list_annotations",
    "read_version",
    "render_contrast",
    "render_gate",
    "render_gate_junit",
    "render_gate_markdown",
    "render_versions",
    "write_annotation",
]
