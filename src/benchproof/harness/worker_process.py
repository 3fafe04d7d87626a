"""What runs in a worker: open a model, answer what comes through a pipe, end when nobody is there any more.

A worker writes nothing to disk and keeps nothing, so it may end at any moment. Ctrl-C is the parent's business: it
closes the pipe. Where the parent is killed the pipe ends too, and the worker with it, also in the middle of a call.
"""

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple

from benchproof.errors import BenchproofError, ExitCode
from benchproof.harness.calls import ask_items
from benchproof.harness.errors import HarnessError
from benchproof.models import Model
from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import Batching, ModelIdentity, RawLine

if TYPE_CHECKING:
    from benchproof.harness.answering import Batch


class WorkerError(HarnessError):
    """A worker could not go on; what the workers had answered is recorded, and the run stays open."""

    exit_code = ExitCode.CANNOT_TELL


OpenModel = Callable[[], Model]
"""Opens a worker's model; it is pickled, so it is a function of a module or a ``functools.partial`` of one."""


class Ready(NamedTuple):
    """The worker's model is open: who it is, and how it computes likelihoods."""

    identity: ModelIdentity
    batching: Batching | None


class Lines(NamedTuple):
    """The answers to the oldest batch that was sent, and the seconds an item that they took."""

    lines: list[RawLine]
    seconds: float


class Failed(NamedTuple):
    """An error of the benchproof family, in its parts; the worker then ends."""

    what: str
    place: str | None
    got: str | None
    expected: str | None
    hint: str | None
    exit_code: int


Message = Ready | Lines | Failed


def serve(
    open_model: OpenModel, axes: Mapping[str, ResolvedAxis], seed: int, requests: Connection, replies: Connection
) -> None:
    """Answer each ``Batch`` from ``requests`` in turn on ``replies``, until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    waiting: queue.SimpleQueue[Batch] = queue.SimpleQueue()
    with suppress(BrokenPipeError):
        try:
            _start_receiving(requests, waiting)
            with closing(open_model()) as model:
                info = model.info()
                replies.send(Ready(info.identity, info.batching))
                while True:
                    batch = waiting.get()
                    begun = time.monotonic()
                    lines = ask_items(model, axes[batch.axis_key], batch.items, seed=seed)
                    replies.send(Lines(lines, (time.monotonic() - begun) / len(batch.items)))
        except BenchproofError as error:
            replies.send(describe_error(error))
        except MemoryError:
            replies.send(describe_error(_lack("memory")))


def _start_receiving(requests: Connection, waiting: "queue.SimpleQueue[Batch]") -> None:
    try:
        threading.Thread(target=_receive, args=(requests, waiting), daemon=True).start()
    except RuntimeError as error:
        raise _lack("threads") from error


def _lack(what: str) -> WorkerError:
    return WorkerError(f"a worker gets no more {what} from the system", hint="Take fewer --workers.")


def _receive(requests: Connection, waiting: "queue.SimpleQueue[Batch]") -> None:
    """Take every batch at once, so that the other end never waits for a call; end the process with the other end."""
    with suppress(EOFError, OSError):
        while True:
            waiting.put(requests.recv())
    os._exit(0)


def describe_error(error: BenchproofError) -> Failed:
    """An error as it travels: classes with arguments of their own do not."""
    return Failed(error.what, error.place, error.got, error.expected, error.hint, int(error.exit_code))


def restore_error(failed: Failed) -> BenchproofError:
    """The error that a worker met, with its text and exit code."""
    error = BenchproofError(failed.what, place=failed.place, got=failed.got, expected=failed.expected, hint=failed.hint)
    error.exit_code = ExitCode(failed.exit_code)
    return error
