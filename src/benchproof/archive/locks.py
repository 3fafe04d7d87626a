"""The archive's locks: one for sealing, one for each open run (contract-archive §4).

The operating system's own lock on a permanent file that is never removed: a killed holder's lock is free at once, and
there is nothing to clean. Where locks do nothing (some network disks) the rename still decides; where they cannot be
had at all, that is an error, never a softer kind of lock. Holder facts in the file are for messages only.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchproof.archive.errors import ArchiveError, LockedError
from benchproof.archive.filesystem import storage_errors
from benchproof.archive.layout import LOCKS, STAGING
from benchproof.archive.walking import opened_folder, read_beneath
from benchproof.canon import CanonError, canonical, parse

_ARCHIVE_LOCK = "archive.lock"
_POLL_SECONDS = 0.05
_HOLDER_BYTES = 1 << 12


class HeldLock:
    """A lock that is held until ``release``."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Give the lock back; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def take_run_lock(root: Path, run_id: str) -> HeldLock:
    """Take the lock of an open run, or refuse at once by the holder's name."""
    return _take(root, f"run-{run_id}.lock", f"open run {run_id}", timeout=0.0, monotonic=time.monotonic)


def is_run_locked(root: Path, run_id: str) -> bool:
    """Whether somebody works on an open run now."""
    try:
        take_run_lock(root, run_id).release()
    except LockedError:
        return True
    return False


@contextmanager
def hold_archive_lock(
    root: Path, *, timeout: float = 30.0, monotonic: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    """Hold the archive's lock for the block; wait at most ``timeout`` seconds, then say who holds it."""
    lock = _take(root, _ARCHIVE_LOCK, "the archive", timeout=timeout, monotonic=monotonic)
    try:
        yield
    finally:
        lock.release()


def mark_in_use(folder: int) -> bool:
    """Mark a folder of ours as in use while its descriptor is open; where that cannot be had, it stays unmarked.

    ``False``: another process marked it first, to remove it.
    """
    from filelock import lock_descriptor

    try:
        return lock_descriptor(folder, blocking=False)
    except OSError:
        return True


def is_in_use(folder: int) -> bool:
    """Whether another process marked a folder and still has it open; where none has, it is now marked by this one."""
    from filelock import lock_descriptor

    with storage_errors(STAGING):
        return not lock_descriptor(folder, blocking=False)


def _take(root: Path, name: str, what: str, *, timeout: float, monotonic: Callable[[], float]) -> HeldLock:
    from filelock import lock_descriptor

    path = root / LOCKS / name
    deadline = monotonic() + timeout
    with storage_errors(str(path)):
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            while not lock_descriptor(descriptor, blocking=False):
                if monotonic() >= deadline:
                    raise _refusal(path, what, timeout)
                time.sleep(_POLL_SECONDS)
            _write_holder(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
    return HeldLock(descriptor)


def _write_holder(descriptor: int) -> None:
    # Facts for messages: a full disk must not cost the lock.
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, canonical({"host": os.uname().nodename, "pid": os.getpid()}), 0)


def _refusal(path: Path, what: str, timeout: float) -> LockedError:
    waited = f" after {timeout:g} s" if timeout else ""
    return LockedError(
        f"{what} is in use by {_read_holder(path)}{waited}",
        place=str(path),
        hint="Wait for it to end, or stop that process",
    )


def _read_holder(path: Path) -> str:
    try:
        with opened_folder(path.parent, (), str(path.parent)) as folder:
            holder = parse(read_beneath(folder, path.name, str(path), limit=_HOLDER_BYTES))
        return f"process {int(holder['pid'])} on {holder['host']}"
    except (ArchiveError, CanonError, KeyError, TypeError, ValueError):
        return "another process"
