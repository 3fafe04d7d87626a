"""Logs of EleutherAI's lm-evaluation-harness, 0.4.9 to 0.4.13, and its flat legacy files (v0.2, v0.3)."""
