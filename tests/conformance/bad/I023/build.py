"""Results without samples."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.write(folder)
    log.samples_path(folder).unlink()
