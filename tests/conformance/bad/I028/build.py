"""An answer without text."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog, use_answers


def build(folder: Path) -> None:
    log = LmEvalLog()
    use_answers(log, ["4", "", "x", "9"])
    log.write(folder)
