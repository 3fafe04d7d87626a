"""Run a harness as a child, keep what it printed, and import what it wrote, also after a crash.

    started ──exits or is killed──► ended ──find──► logs written meanwhile ──import──► sealed runs

Laws kept (contract-proof, import): the child's own exit is never hidden; what was written before a kill is sealed as
partial; where no log was written, what the child printed is sealed alone, so that the failed attempt stays on record.
Only the variables that are named are recorded: an environment holds secrets.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any

from benchproof.archive import SealedRef, seal_files
from benchproof.canon import digest
from benchproof.interop.errors import InteropError, NoLogError
from benchproof.interop.importing import ImportReport, Progress, import_logs
from benchproof.interop.log_files import find_files

_BLOCK = 1 << 16
LARGEST_TRANSCRIPT = 1 << 28
"""Bytes kept of what a child prints on each stream; what comes after is passed on and counted."""

_LOG_OPTIONS = ("--output_path", "--output-path", "-o", "--log-dir", "--output-dir", "--output_dir", "--log_dir")


@dataclass(frozen=True, slots=True)
class ChildExit:
    """How a child ended; ``signal`` is its number where one ended it."""

    command: tuple[str, ...]
    code: int
    signal: int | None
    started_at: str
    ended_at: str


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A child's end and what became of its logs; ``transcript`` is the run of its output where it wrote no log."""

    child: ChildExit
    report: ImportReport | None
    transcript: SealedRef | None


def find_log_folders(command: Sequence[str], variables: Mapping[str, str]) -> list[Path]:
    """Where the command says that it will write: its log options, Inspect's variable, its default folder."""
    found: list[Path] = []
    for index, word in enumerate(command):
        name, has_value, value = word.partition("=")
        if name in _LOG_OPTIONS:
            target = value if has_value else command[index + 1] if index + 1 < len(command) else ""
            if target:
                path = Path(target)
                found.append(path.parent if path.suffix in (".json", ".jsonl") else path)
    if variables.get("INSPECT_LOG_DIR"):
        found.append(Path(variables["INSPECT_LOG_DIR"]))
    if not found and any(Path(word).name == "inspect" for word in command[:3]):
        found.append(Path("logs"))
    return list(dict.fromkeys(found))


def wrap_command(
    root: Path,
    command: Sequence[str],
    *,
    folders: Sequence[Path],
    transcripts: Path,
    clock: Callable[[], str],
    version: str,
    variables: Mapping[str, str],
    stdout: int = 1,
    progress: Progress | None = None,
) -> Wrapped:
    """Run the command to its end and import the logs that it wrote below the folders.

    Args:
        root: The archive.
        command: Program and arguments; no shell reads them.
        folders: Where it writes its logs; only files that are new or changed afterwards are imported.
        transcripts: An empty folder for what it prints, on the archive's machine.
        clock: Now, as ``2026-11-30T21:28:05Z``.
        version: Of benchproof.
        variables: Environment variables to record, by name.
        stdout: The descriptor that its stdout is passed on to.
        progress: Told of records as they are read.

    Raises:
        InteropError: The command cannot be started.
    """
    before = _look(folders)
    child = _run_child(command, transcripts, clock, stdout)
    written = [path for path, state in _look(folders).items() if before.get(path) != state]
    facts = {
        "command": list(child.command),
        "exit_code": child.code,
        **({"signal": child.signal} if child.signal else {}),
        "started_at": child.started_at,
        "ended_at": child.ended_at,
        "variables": dict(sorted(variables.items())),
    }
    report = None
    if written:
        try:
            report = import_logs(root, written, sealed_at=clock(), version=version, wrapped=facts, progress=progress)
        except NoLogError:
            report = None
    if report is not None and report.logs:
        return Wrapped(child, report, None)
    return Wrapped(child, report, _seal_transcript(root, child, transcripts, facts, clock))


def _run_child(command: Sequence[str], transcripts: Path, clock: Callable[[], str], stdout: int) -> ChildExit:
    started_at = clock()
    try:
        child = subprocess.Popen(list(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise InteropError(
            f"the command cannot be started: {error.strerror or error}",
            got=command[0] if command else "no command",
            expected="a program, as after benchproof wrap --",
        ) from error
    assert child.stdout is not None
    assert child.stderr is not None
    copies = [
        _start_copy(child.stdout, stdout, transcripts / "stdout.log"),
        _start_copy(child.stderr, 2, transcripts / "stderr.log"),
    ]
    with _passing_signals(child):
        code = child.wait()
    for copy in copies:
        copy.join()
    return ChildExit(tuple(command), code, -code if code < 0 else None, started_at, clock())


def _start_copy(source: IO[bytes], descriptor: int, path: Path) -> threading.Thread:
    def copy() -> None:
        kept = 0
        passed_on = True
        with source, path.open("wb") as transcript:
            while block := os.read(source.fileno(), _BLOCK):
                transcript.write(block[: max(0, LARGEST_TRANSCRIPT - kept)])
                kept += len(block)
                try:
                    passed_on = passed_on and os.write(descriptor, block) >= 0
                except OSError:  # nobody reads us any more: the child goes on, and is kept
                    passed_on = False

    thread = threading.Thread(target=copy, daemon=True)
    thread.start()
    return thread


class _passing_signals:  # noqa: N801 - a context manager, read as words
    """An interrupt reaches the child through the terminal, and a termination through us; we end after it."""

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        self._child = child
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._before[signal.SIGTERM] = signal.signal(signal.SIGTERM, self._pass)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _pass(self, number: int, _frame: FrameType | None) -> None:
        self._child.send_signal(number)


def _look(folders: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Every file below the folders that exist, with its size and time of change."""
    seen: dict[Path, tuple[int, int]] = {}
    for folder in folders:
        if folder.is_dir():
            files, _ = find_files([folder])
            for file in files:
                path = folder / file.name
                facts = path.stat()
                seen[path] = (facts.st_size, facts.st_mtime_ns)
    return seen


def _seal_transcript(
    root: Path, child: ChildExit, transcripts: Path, facts: dict[str, Any], clock: Callable[[], str]
) -> SealedRef:
    """Keep what the child printed as a run without numbers."""
    name = f"wrap.{Path(child.command[0]).stem[:30] or 'command'}.{digest(facts)[:12]}"
    files = {path.name: path for path in sorted(transcripts.iterdir())}
    return seal_files(
        root,
        id="".join(character if character.isalnum() or character in "._-" else "-" for character in name),
        model="unknown",
        files=files,
        sealed_at=clock(),
        created_at=child.started_at,
        harness={"name": Path(child.command[0]).name or "unknown", "version": "unknown"},
        environment={"wrapped": facts},
    )
