"""A run that was cancelled."""

from pathlib import Path

from interop.inspect_logs import InspectLog


def build(folder: Path) -> None:
    log = InspectLog()
    log.header["status"] = "cancelled"
    log.write(folder)
