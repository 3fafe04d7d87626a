"""Two epochs were asked of every item, and one of them is gone."""

from pathlib import Path

from interop.inspect_logs import InspectLog


def build(folder: Path) -> None:
    log = InspectLog()
    log.use_epochs([["C", "I"], ["C", "C"]], scorer="match")
    del log.samples[1]
    log.write(folder)
