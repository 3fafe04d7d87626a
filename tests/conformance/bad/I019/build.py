"""A pattern to ignore that might never end."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog, use_answers


def build(folder: Path) -> None:
    log = LmEvalLog()
    use_answers(log, ["4", "15", "x", "9"], regexes_to_ignore=["(a+)+$"])
    log.write(folder)
