"""Prompts of more words than the window has tokens."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.results["max_length"] = 5
    log.write(folder)
