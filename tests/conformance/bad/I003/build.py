"""A document with half of a surrogate pair."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.write(folder)
    path = log.samples_path(folder)
    path.write_bytes(path.read_bytes().replace(b"Colour of snow?", b"Colour of \\udc00?"))
