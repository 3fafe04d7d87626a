"""A share of four items that is no quarter of them."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.numbers["acc,none"] = 0.224
    log.write(folder)
