"""A score that somebody changed after the run."""

from pathlib import Path

from interop.inspect_logs import InspectLog


def build(folder: Path) -> None:
    log = InspectLog()
    log.samples[0]["scores"]["match"]["history"] = [{"value": "I"}, {"value": "C", "provenance": {"author": "someone"}}]
    log.write(folder)
