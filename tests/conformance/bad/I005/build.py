"""A line in the middle that is no JSON."""

from pathlib import Path

from interop.lm_eval_logs import LmEvalLog


def build(folder: Path) -> None:
    log = LmEvalLog()
    log.write(folder)
    path = log.samples_path(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{no JSON}\n" + b"".join(lines[2:]))
