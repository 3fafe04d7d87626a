"""An unweighted group of 0.4.12 with the standard error of a weighted one."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog, add_uneven_group


def build(folder: Path) -> None:
    log = LmEvalLog(version="0.4.12")
    add_uneven_group(log)
    log.write(folder)
