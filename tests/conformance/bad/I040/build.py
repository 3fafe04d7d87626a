"""Instances that are not those of the checksum."""

from pathlib import Path

from interop.other_logs import write_record


def build(folder: Path) -> None:
    write_record(folder, 0.5, [1.0, 0.0], checksum="0" * 64)
