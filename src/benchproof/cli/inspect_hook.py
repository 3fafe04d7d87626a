"""Seals each log of Inspect as its run ends: what Inspect loads by the entry point ``inspect_ai``.

It stands in this room because it is a way in from outside, as a command is, and asks an environment variable for its
archive. Laws: without the variable nothing is done; a run of Inspect never fails, and never ends otherwise, because of
this; a run that failed or was interrupted is sealed too, as its log says.
Source: ``inspect_ai/hooks/_hooks.py``, 0.3.285. A run that Ctrl-C ends hands on no logs, so the places of logs are
noted while samples start.
"""

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from inspect_ai.hooks import Hooks, hooks

from benchproof import __version__
from benchproof.cli.output import say
from benchproof.cli.surroundings import INSPECT_VARIABLE, inspect_archive, now, writable_archive
from benchproof.errors import BenchproofError


@hooks(name="seal_logs", description=f"benchproof: seals each log in ${INSPECT_VARIABLE}")
class SealLogs(Hooks):  # type: ignore[misc]
    """One for the process; runs of Inspect follow one another in it."""

    def __init__(self) -> None:
        self._places: dict[str, None] = {}

    def enabled(self) -> bool:
        """Whether an archive is named."""
        return inspect_archive() is not None

    async def on_sample_start(self, _data: Any) -> None:
        """Note where the logs of the samples that run now are written."""
        self._places |= dict.fromkeys(_list_active_places())

    async def on_task_end(self, data: Any) -> None:
        """Note where a task's log is."""
        self._note([data.log])

    async def on_run_end(self, data: Any) -> None:
        """Import every log of the run, one after the other."""
        self._note(data.logs)
        places = list(self._places)
        self._places.clear()
        for place in places:
            seal_log(place)

    def _note(self, logs: Any) -> None:
        self._places |= dict.fromkeys(log.location for log in logs if getattr(log, "location", ""))


def seal_log(place: str) -> None:
    """Import one log and say what became of it; whatever is wrong is said, and nothing is raised."""
    path = find_local_path(place)
    if path is None:
        say(f"benchproof: not sealed: {place} is not on this machine; import it from a copy")
        return
    if not path.is_file():
        return
    try:
        _import(path)
    except BenchproofError as error:
        say(f"benchproof: not sealed: {error}")
    except Exception as error:
        # The run of Inspect is finished and right; a fault of ours must not change how it ends.
        say(f"benchproof: not sealed: {path.name}: {type(error).__name__}: {error}")


def find_local_path(place: str) -> Path | None:
    """The path of a log's place, which is one or a URL; ``None`` where it is on another machine."""
    parts = urlsplit(place)
    if parts.scheme == "file":
        return Path(unquote(parts.path))
    return None if "://" in place else Path(place)


def _import(path: Path) -> None:
    from benchproof.interop import import_logs

    root = writable_archive(inspect_archive())
    report = import_logs(root, [path], sealed_at=now().strftime("%Y-%m-%dT%H:%M:%SZ"), version=__version__)
    for log in report.logs:
        partial = ", partial" if log.partial else ""
        say(f"benchproof: sealed {log.run_id} ({log.items:,} items{partial}, {len(log.findings)} findings)")
    for refused in report.refused:
        say(f"benchproof: not sealed: {refused.error}")


def _list_active_places() -> list[str]:
    """Logs of the samples that run now; none where Inspect has no such list any more."""
    try:
        from inspect_ai.log._samples import active_samples

        return [sample.log_location for sample in active_samples() if sample.log_location]
    except (ImportError, AttributeError):
        return []
