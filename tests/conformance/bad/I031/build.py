"""An instance whose statistics stand twice."""

from pathlib import Path

from interop.other_logs import HelmLog, make_instance


def build(folder: Path) -> None:
    log = HelmLog()
    log.documents["per_instance_stats"].append(make_instance(1, 1.0))
    log.write(folder)
