"""A document that stands twice."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.lines.append(dict(log.lines[0], doc_id=4))
    log.write(folder)
