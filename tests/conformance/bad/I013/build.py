"""A sample that ended in an error, in a log that says success."""

from pathlib import Path

from interop.inspect_logs import InspectLog, make_score


def build(folder: Path) -> None:
    log = InspectLog()
    log.samples[2] |= {"scores": {}, "error": {"message": "Connection reset", "traceback": ""}}
    log.state(make_score("match", {"accuracy": 1.0, "stderr": 0.0}))
    log.write(folder)
