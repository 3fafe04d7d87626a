"""A log that does not say which revision answered."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.results["config"]["model_sha"] = ""
    log.write(folder)
