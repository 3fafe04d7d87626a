"""A member whose name leads out of the folder that it would be extracted to."""

from pathlib import Path

from interop.inspect_logs import InspectLog


def build(folder: Path) -> None:
    log = InspectLog()
    log.samples[1]["id"] = "../../evil"
    log.write(folder)
