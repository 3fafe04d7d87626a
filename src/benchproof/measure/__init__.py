"""Metrics and statistics: numbers in, numbers out."""
