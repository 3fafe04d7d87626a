"""Comparisons of what was measured: contrasts across runs."""

from benchproof.analysis.contrast import AxisContrast, Contrast, Flip, ScoredAxis, ScoredRun, Side, contrast_runs
from benchproof.analysis.contrast_data import describe_contrast
from benchproof.analysis.contrast_text import explain_contrasts, render_contrast
from benchproof.analysis.errors import AnalysisError, ContrastError
from benchproof.analysis.evidence import ComparedRun, compare_runs
from benchproof.analysis.pairing import Pair, ScoredItem, Unpaired

__all__ = [
    "AnalysisError",
    "AxisContrast",
    "ComparedRun",
    "Contrast",
    "ContrastError",
    "Flip",
    "Pair",
    "ScoredAxis",
    "ScoredItem",
    "ScoredRun",
    "Side",
    "Unpaired",
    "compare_runs",
    "contrast_runs",
    "describe_contrast",
    "explain_contrasts",
    "render_contrast",
]
