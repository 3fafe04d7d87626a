"""A document that is not the one its digest is of."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.lines[0]["doc"]["q"] = "Capital of Spain?"
    log.write(folder)
