"""Megabytes a CPU second over made documents, ours beside a peer and a limit, at a tenth of a size and at the whole."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.comparison import Comparison, Goal, find_growth
from benchmarks.rounds import count_cpu, take_rounds

Records = list[dict[str, Any]]
Worker = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Work:
    """One line of the table: what is done to what.

    ``prepare`` makes of the records what the workers are given one after another: a document, or many lines.
    ``workers`` are ``ours``, ``peer`` and ``limit``; ours and the peer must give the same before anything is timed.
    """

    goal_id: str
    name: str
    prepare: Callable[[Records], list[Any]]
    count_bytes: Callable[[Any], int]
    workers: Mapping[str, Worker]
    peer_name: str
    limit_name: str
    goal: Goal


def compare_sizes(
    work: Work, make_records: Callable[[int], Records], size: int, unit: str, rounds: int
) -> Iterator[Comparison]:
    """One comparison at ``size // 10`` records, and one at ``size`` with the growth between."""
    few_cost: float | None = None
    for count in (size // 10, size):
        inputs = work.prepare(make_records(count))
        _check_sameness(work, inputs)
        megabytes = sum(map(work.count_bytes, inputs)) / 1e6
        contenders = {name: count_cpu(partial(_drain, worker, inputs)) for name, worker in work.workers.items()}
        costs = take_rounds(contenders, rounds)
        yield Comparison(
            work.goal_id,
            work.name,
            f"{count:,} {unit}, {megabytes:.1f} MB",
            "MB/s",
            ours=megabytes / costs["ours"],
            peer=megabytes / costs["peer"],
            peer_name=work.peer_name,
            limit=megabytes / costs["limit"],
            limit_name=work.limit_name,
            goal=work.goal,
            more_is_better=True,
            growth=None if few_cost is None else find_growth(few_cost, costs["ours"]),
        )
        few_cost = costs["ours"]


def _check_sameness(work: Work, inputs: list[Any]) -> None:
    ours, peer = work.workers["ours"], work.workers["peer"]
    if any(ours(given) != peer(given) for given in inputs):
        raise RuntimeError(f"{work.name}: ours and {work.peer_name} give different results")


def _drain(worker: Worker, inputs: list[Any]) -> None:
    """Each input in turn, and what comes of it is dropped."""
    deque(map(worker, inputs), maxlen=0)
