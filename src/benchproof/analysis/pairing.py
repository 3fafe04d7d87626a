"""Pairs: which items two runs have in common, scored in both, and what could not be paired.

Laws: an item counts only where both runs scored it and both asked the same thing; nothing that is left out goes
uncounted. Clusters are the same for both runs: those that either run puts together are together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchproof.measure import ClusterBook


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """One item of one run.

    ``score`` is ``None`` where the run gives none. ``content`` is a digest of what was asked and of its key;
    ``cluster`` is the name of what it hangs together with.
    """

    item_id: str
    score: float | None
    content: str
    cluster: str


@dataclass(frozen=True, slots=True)
class Pair:
    """An item that both runs scored."""

    item_id: str
    cluster: str
    score_a: float
    score_b: float


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Ids of items that count in no difference, by reason; each item has one reason.

    ``changed``: the same id, but another question or key. ``unscored_*``: without a score there, whatever the other.
    """

    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unscored_a: tuple[str, ...] = ()
    unscored_b: tuple[str, ...] = ()
    unscored_both: tuple[str, ...] = ()

    def count(self) -> int:
        """How many items are in no pair."""
        return sum(len(ids) for ids in self.by_reason().values())

    def by_reason(self) -> dict[str, tuple[str, ...]]:
        """Reason in words → item ids, in a fixed order."""
        return {
            "only in A": self.only_a,
            "only in B": self.only_b,
            "asked otherwise": self.changed,
            "not scored in A": self.unscored_a,
            "not scored in B": self.unscored_b,
            "not scored in both": self.unscored_both,
        }


def pair_items(items_a: Iterable[ScoredItem], items_b: Iterable[ScoredItem]) -> tuple[list[Pair], Unpaired]:
    """Pairs by item id, sorted, and what is in no pair."""
    left = {item.item_id: item for item in items_a}
    right = {item.item_id: item for item in items_b}
    clusters = _name_clusters([*left.values(), *right.values()])
    pairs: list[Pair] = []
    left_out: dict[str, list[str]] = {}
    for item_id in sorted({*left, *right}):
        reason = _find_reason(left.get(item_id), right.get(item_id))
        if reason is not None:
            left_out.setdefault(reason, []).append(item_id)
            continue
        score_a, score_b = left[item_id].score, right[item_id].score
        if score_a is not None and score_b is not None:
            pairs.append(Pair(item_id, clusters[item_id], score_a, score_b))
    return pairs, Unpaired(**{reason: tuple(ids) for reason, ids in left_out.items()})


def _find_reason(left: ScoredItem | None, right: ScoredItem | None) -> str | None:
    """Why an item is in no pair, as a field of ``Unpaired``; ``None`` where it is in one."""
    if left is None:
        return "only_b"
    if right is None:
        return "only_a"
    if left.content != right.content:
        return "changed"
    unscored = (left.score is None, right.score is None)
    return {(True, True): "unscored_both", (True, False): "unscored_a", (False, True): "unscored_b"}.get(unscored)


def _name_clusters(items: Iterable[ScoredItem]) -> Mapping[str, str]:
    """Item id → cluster, over all items of both runs."""
    book = ClusterBook()
    anchors: dict[str, str] = {}
    for item in items:
        book.join([item.cluster, anchors.setdefault(item.item_id, item.cluster)])
    return {item_id: book.find(anchor) for item_id, anchor in anchors.items()}
