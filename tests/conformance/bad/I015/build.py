"""A likelihood that is NaN."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.lines[0]["resps"][1] = [["nan", "False"]]
    log.write(folder)
