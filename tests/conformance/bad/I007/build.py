"""A log with four of five thousand samples."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.results["n-samples"][log.task]["effective"] = 5000
    log.write(folder)
