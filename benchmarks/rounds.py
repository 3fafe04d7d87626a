"""Rounds of measuring: every contender once a round, so that a machine that slows down slows all of them."""

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median

Contender = Callable[[], float]
"""Does the work once and says what it cost."""


def take_rounds(contenders: Mapping[str, Contender], rounds: int) -> dict[str, float]:
    """The median cost of each contender, which itself says what a call of it cost (see ``count_cpu``)."""
    costs: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds):
        names = list(contenders)
        first = number % len(names)
        for name in names[first:] + names[:first]:
            costs[name].append(contenders[name]())
    return {name: median(values) for name, values in costs.items()}


def count_cpu(work: Callable[[], object]) -> Contender:
    """``work`` as a contender: the CPU seconds of this process, all threads; what it returns is dropped."""

    def measured() -> float:
        gc.collect()
        begun = time.process_time()
        result = work()
        spent = time.process_time() - begun
        del result
        return spent

    return measured
