"""A run under --limit 4."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.results["config"]["limit"] = 4.0
    log.write(folder)
