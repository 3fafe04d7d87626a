"""Two documents under one doc_id."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.lines[1]["doc_id"] = 0
    log.write(folder)
