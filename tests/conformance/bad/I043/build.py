"""A standard error that the item scores do not give."""

from pathlib import Path

from interop.inspect_logs import InspectLog


def build(folder: Path) -> None:
    log = InspectLog()
    log.metrics["stderr"]["value"] = 0.2
    log.write(folder)
