"""Which harness wrote these files: asked of each format in turn, by content."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from benchproof.interop.every_eval_ever.reader import EveryEvalEverReader
from benchproof.interop.foreign_run import LogReader
from benchproof.interop.helm.reader import HelmReader
from benchproof.interop.inspect_ai.reader import InspectReader
from benchproof.interop.lighteval.reader import LightevalReader
from benchproof.interop.lm_eval.reader import LmEvalReader
from benchproof.interop.log_files import LogFile, Look
from benchproof.interop.mteb.reader import MtebReader
from benchproof.interop.shapes import WRONG_SHAPE

READERS: tuple[LogReader, ...] = (
    LmEvalReader(),
    InspectReader(),
    HelmReader(),
    MtebReader(),
    EveryEvalEverReader(),
    LightevalReader(),
)


class FoundLog(NamedTuple):
    """The files of one run, and who reads them."""

    reader: LogReader
    files: tuple[LogFile, ...]


class Detection(NamedTuple):
    """The logs among some files, by the name of their first file, and the files that are of none."""

    logs: list[FoundLog]
    unknown: list[LogFile]


def detect_logs(files: Sequence[LogFile]) -> Detection:
    """Sort files into logs; a file is of one format at most."""
    parts: dict[str, list[tuple[LogFile, str]]] = {}
    unknown: list[LogFile] = []
    for file in files:
        look = Look(file)
        for reader in READERS:
            part = None
            with suppress(*WRONG_SHAPE):
                part = reader.recognise(look)
            if part is not None:
                parts.setdefault(reader.format, []).append((file, part))
                break
        else:
            unknown.append(file)
    logs = [
        FoundLog(reader, tuple(group))
        for reader in READERS
        for group in reader.group(parts.get(reader.format, ()))
        if group
    ]
    grouped = {file.name for log in logs for file in log.files}
    unknown += [file for named in parts.values() for file, _ in named if file.name not in grouped]
    return Detection(sorted(logs, key=lambda log: log.files[0].name), sorted(unknown, key=lambda file: file.name))


def list_formats() -> list[str]:
    """The formats that can be imported."""
    return sorted(reader.format for reader in READERS)


def find_reader(name: str) -> LogReader | None:
    """The reader of a format, by its name in ``imported_from``."""
    return next((reader for reader in READERS if reader.format == name), None)
