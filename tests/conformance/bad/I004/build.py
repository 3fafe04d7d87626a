"""A last line that was cut off."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.write(folder)
    path = log.samples_path(folder)
    path.write_bytes(path.read_bytes()[:-200])
