"""One line of the table that ``make bench`` prints: ours, a peer, the limit, and the goal that was set before.

Each goal has a module beside this one with ``measure(rounds: int) -> list[Comparison]``. Its figures are medians over
``rounds`` interleaved rounds of CPU time; a ratio holds within its own line only.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Goal:
    """What the line has to reach.

    ``peer``: ours is at least ``value`` times as good as the peer; ``limit``: at least ``value`` times as good as the
    limit (0.5: half as good); ``ours``: the figure itself is no worse than ``value``.
    """

    against: Literal["peer", "limit", "ours"]
    value: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One work at one size.

    ``ours``, ``peer`` and ``limit`` are figures in ``unit``, ``None`` where it was not measured (``note`` says why).
    ``peer_name`` and ``limit_name`` say what was measured, with the version of a peer. ``growth`` is the exponent
    with which the cost of ours grows, from this size to ten times as much (1.0: in proportion).
    """

    id: str
    work: str
    size: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str = ""
    limit: float | None = None
    limit_name: str = ""
    goal: Goal | None = None
    more_is_better: bool = False
    growth: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times as good as the peer ours is; below 1 it is worse."""
        return self._times_as_good_as(self.peer)

    @property
    def ratio_to_limit(self) -> float | None:
        """How many times as good as the limit ours is; 1 is as good as it gets."""
        return self._times_as_good_as(self.limit)

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is reached; ``None`` where there is none, or what it stands against was not measured."""
        if self.goal is None:
            return None
        if self.goal.against == "ours":
            return self.ours >= self.goal.value if self.more_is_better else self.ours <= self.goal.value
        reached = self.ratio if self.goal.against == "peer" else self.ratio_to_limit
        return None if reached is None else reached >= self.goal.value

    def describe(self) -> dict[str, Any]:
        """The line for ``--json``."""
        return {
            "goal_id": self.id,
            "work": self.work,
            "size": self.size,
            "unit": self.unit,
            "more_is_better": self.more_is_better,
            "ours": self.ours,
            "peer": self.peer,
            "peer_name": self.peer_name,
            "limit": self.limit,
            "limit_name": self.limit_name,
            "ratio": self.ratio,
            "ratio_to_limit": self.ratio_to_limit,
            "goal": None if self.goal is None else {"against": self.goal.against, "value": self.goal.value},
            "met": self.is_met,
            "growth": self.growth,
            "note": self.note,
        }

    def _times_as_good_as(self, other: float | None) -> float | None:
        if not other or not self.ours:
            return None
        return self.ours / other if self.more_is_better else other / self.ours


def find_growth(cost: float, cost_of_more: float, *, times: float = 10) -> float:
    """The exponent e with cost_of_more = cost · times^e: what ``times`` as much work costs."""
    return math.log(cost_of_more / cost) / math.log(times)
