"""Several processes answer one run, each with a model of its own (contract-bench §4: one thread a worker).

Laws kept: this process alone records, so a worker that dies loses only what it was answering, and what all of them had
answered is given before its death is told; batches of one passage go to one worker, which computes the passage once; at
most ``AHEAD`` batches wait at a worker; Ctrl-C, which a terminal sends to each process, is this one's business alone.
"""

import errno
import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess

from benchproof.errors import BenchproofError
from benchproof.harness.answering import Answered, Batch
from benchproof.harness.worker_process import (
    Failed,
    Lines,
    Message,
    OpenModel,
    Ready,
    WorkerError,
    restore_error,
    serve,
)
from benchproof.models import ModelInfo
from benchproof.records.bench import ResolvedAxis

AHEAD = 4
"""Batches that a worker has been given and has not answered: it never waits, and a stop loses few."""

_GRACE_SECONDS = 2.0
_TOO_MANY = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})


@dataclass(slots=True)
class _Worker:
    """One process, the ends of its pipes, and the batches that it has not answered yet."""

    process: BaseProcess
    requests: Connection
    replies: Connection
    waiting: deque[Batch] = field(default_factory=deque)
    passage: tuple[str, str | None] | None = None


class WorkerPool:
    """``count`` workers that answer a run's batches; each opens its model with ``open_model``.

    ``info`` is of the model that the run was opened with: a worker that opens another one is refused.
    """

    def __init__(self, open_model: OpenModel, count: int, info: ModelInfo) -> None:
        self._open_model = open_model
        self._count = count
        self._info = info
        self._workers: list[_Worker] = []

    def answer(
        self, axes: Mapping[str, ResolvedAxis], batches: Iterable[Batch], *, seed: int
    ) -> Generator[Answered, None, None]:
        """Answer ``batches`` as workers become free; they end with the iterator, however it ends.

        Raises:
            WorkerError: A worker died, or opened another model.
            BenchproofError: A worker's model could not be opened or used; text and exit code are the model's.
        """
        source = iter(batches)
        try:
            self._start(axes, seed)
            next_batch = next(source, None)
            while next_batch is not None or any(worker.waiting for worker in self._workers):
                while next_batch is not None and (worker := self._find_free(next_batch)) is not None:
                    self._give(worker, next_batch)
                    next_batch = next(source, None)
                yield from self._collect()
        finally:
            self._end()

    def _start(self, axes: Mapping[str, ResolvedAxis], seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        try:
            with _deaf_to_ctrl_c():
                for _ in range(self._count):
                    self._workers.append(self._start_one(context, axes, seed))
        except OSError as error:
            hint = "Take fewer --workers." if error.errno in _TOO_MANY else None
            raise WorkerError("a worker process cannot be started", got=error.strerror, hint=hint) from error

    def _start_one(self, context: SpawnContext, axes: Mapping[str, ResolvedAxis], seed: int) -> _Worker:
        theirs, requests = context.Pipe(duplex=False)
        replies, answers = context.Pipe(duplex=False)
        process = context.Process(target=serve, args=(self._open_model, dict(axes), seed, theirs, answers), daemon=True)
        process.start()
        # The worker holds the only other ends now: when it is gone, or we are, the pipes end.
        theirs.close()
        answers.close()
        return _Worker(process, requests, replies)

    def _find_free(self, batch: Batch) -> _Worker | None:
        """Who takes a batch: the worker that has its passage, else the one with the fewest waiting; or nobody yet.

        A passage of many questions leaves no worker idle: one that has nothing to do takes them too.
        """
        freest = min(self._workers, key=lambda worker: len(worker.waiting))
        passage = (batch.axis_key, batch.passage)
        holder = next(
            (worker for worker in self._workers if batch.passage is not None and worker.passage == passage), None
        )
        if holder is not None and freest.waiting:
            freest = holder
        elif holder is not None and len(holder.waiting) < AHEAD:
            return holder
        return freest if len(freest.waiting) < AHEAD else None

    def _give(self, worker: _Worker, batch: Batch) -> None:
        worker.waiting.append(batch)
        worker.passage = (batch.axis_key, batch.passage)
        # A worker that is gone has said why, or its pipe ends: that is read after what it answered before.
        with suppress(OSError):
            worker.requests.send(batch)

    def _collect(self) -> Iterator[Answered]:
        """Wait for somebody, and give all that has come; trouble with a worker is raised when nothing more is there."""
        by_pipe = {worker.replies: worker for worker in self._workers}
        trouble: BenchproofError | None = None
        ready = wait(list(by_pipe))
        while ready:
            for pipe in ready:
                try:
                    answered = self._read(by_pipe[pipe])  # type: ignore[index]
                except BenchproofError as error:
                    trouble = trouble or error
                    del by_pipe[pipe]  # type: ignore[arg-type]
                else:
                    yield from answered
            ready = wait(list(by_pipe), timeout=0) if trouble is not None else []
        if trouble is not None:
            raise trouble

    def _read(self, worker: _Worker) -> list[Answered]:
        """The next message of a worker: an answer, nothing to record, or an error of the family."""
        try:
            message: Message = worker.replies.recv()
        except (EOFError, OSError):
            raise _describe_death(worker) from None
        if isinstance(message, Failed):
            raise restore_error(message)
        if isinstance(message, Lines):
            batch = worker.waiting.popleft()
            timing = {"seconds": round(message.seconds, 6), "workers": float(self._count)}
            return [Answered(batch.axis_key, message.lines, timing)]
        self._check_sameness(message)
        return []

    def _check_sameness(self, ready: Ready) -> None:
        if ready != Ready(self._info.identity, self._info.batching):
            raise WorkerError(
                "a worker opened another model than the run began with",
                got=f"{ready.identity} {ready.batching}",
                expected=f"{self._info.identity} {self._info.batching}",
                hint="Did the weights change meanwhile? Run it again.",
            )

    def _end(self) -> None:
        """Let every worker end; one that is in the middle of a call is not waited for."""
        for worker in self._workers:
            with suppress(OSError):
                worker.requests.close()
            worker.replies.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(_GRACE_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        self._workers = []


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that are started here never hear SIGINT; here it is heard at the end of the block.

    A worker that heard it before it had begun would end in a traceback on the terminal.
    """
    resource_tracker.ensure_running()  # it would end the block, where it is started within
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _describe_death(worker: _Worker) -> BenchproofError:
    worker.process.join(_GRACE_SECONDS)
    code = worker.process.exitcode
    items = [item["item_id"] for batch in list(worker.waiting)[:1] for item in batch.items]
    return WorkerError(
        "a worker ended before it had answered",
        place=f"{worker.waiting[0].axis_key} {', '.join(items[:3])}" if worker.waiting else "before the first question",
        got=_name_exit(code),
        hint="Everything answered is kept; --resume goes on, and --workers 1 shows whether it is this item.",
    )


def _name_exit(code: int | None) -> str:
    if code is None:
        return "no exit code"
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"
