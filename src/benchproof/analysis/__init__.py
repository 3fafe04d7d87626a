"""Comparisons of what was measured: contrasts across runs."""
