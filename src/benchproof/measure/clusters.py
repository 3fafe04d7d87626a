"""Which items hang together: connected components of passages and overlap groups.

Items that share a passage or an overlap group are not independent. A missing passage is a cluster of its own, never
one shared "null" cluster (contract-statistics, Error bars).
"""

import math
from array import array
from collections.abc import Hashable, Iterable, Sequence

from benchproof.measure.errors import MeasureError


class ClusterBook:
    """A union-find over names: join what belongs together while items stream by, ask for components at the end.

    Names of items, passages and groups must be told apart by the caller. A component is called by its smallest name,
    so that it does not depend on the order of the items.
    """

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def join(self, names: Sequence[str]) -> None:
        """Put all ``names`` into one component."""
        if not names:
            return
        first = self.find(names[0])
        for name in names[1:]:
            other = self.find(name)
            first, last = min(first, other), max(first, other)
            self._parent[last] = first

    def find(self, name: str) -> str:
        """The smallest name of the component that ``name`` is in; a new name is a component of its own."""
        root = self._parent.setdefault(name, name)
        while root != self._parent[root]:
            root = self._parent[root]
        while self._parent[name] != root:
            self._parent[name], name = root, self._parent[name]
        return root


def item_names(item: str, passage: str | None, overlap_groups: Iterable[str]) -> list[str]:
    """The names that one item joins in a ``ClusterBook``.

    An item with a passage or a group is in it under that name alone; one with neither is a cluster of its own.
    """
    names = [f"group:{group}" for group in overlap_groups]
    if passage is not None:
        names.append(f"passage:{passage}")
    return names or [f"item:{item}"]


def connected_components(passages: Sequence[str | None], overlap_groups: Sequence[Sequence[str]]) -> list[int]:
    """The cluster of each item, numbered from 0 in order of first appearance.

    ``passages[i]`` is the passage of item i or ``None``; ``overlap_groups[i]`` the groups that it is in.
    """
    if len(passages) != len(overlap_groups):
        raise MeasureError(
            "passages and overlap groups are given item by item",
            got=f"{len(passages)} passages, {len(overlap_groups)} lists of groups",
            expected="the same number of both",
        )
    book = ClusterBook()
    anchors = []
    for number, (passage, groups) in enumerate(zip(passages, overlap_groups, strict=True)):
        names = item_names(str(number), passage, groups)
        book.join(names)
        anchors.append(names[0])
    return list(number_clusters([book.find(anchor) for anchor in anchors]))


def number_clusters(clusters: Iterable[Hashable]) -> "array[int]":
    """Cluster labels as numbers from 0, in order of first appearance."""
    if isinstance(clusters, array) and clusters.typecode == "I":
        return _renumber(clusters)
    numbers: dict[Hashable, int] = {}
    return array("I", (numbers.setdefault(cluster, len(numbers)) for cluster in clusters))


def _renumber(clusters: "array[int]") -> "array[int]":
    """The same for numbers that are small: a table of them takes the place of a dictionary."""
    known = array("I", bytes(4 * (max(clusters, default=-1) + 1)))
    count = 0
    for cluster in clusters:
        if not known[cluster]:
            count += 1
            known[cluster] = count
    return array("I", (known[cluster] - 1 for cluster in clusters))


def sum_by_cluster(scores: Sequence[float], clusters: Sequence[Hashable]) -> tuple["array[float]", "array[int]"]:
    """The correctly rounded sum of each cluster's scores, and its size; clusters in order of first appearance.

    Clusters that are an ``array("I")`` of small numbers cost a few bytes a score; labels cost a dictionary of them.
    """
    _demand_one_cluster_a_score(scores, clusters)
    numbers = number_clusters(clusters)
    sizes = array("I", bytes(4 * (max(numbers, default=-1) + 1)))
    for number in numbers:
        sizes[number] += 1
    ends, end = array("I"), 0
    for size in sizes:
        ends.append(end)
        end += size
    sorted_scores = array("d", bytes(8 * len(scores)))
    for score, number in zip(scores, numbers, strict=True):
        sorted_scores[ends[number]] = score
        ends[number] += 1
    sums = array("d", (math.fsum(sorted_scores[end - size : end]) for end, size in zip(ends, sizes, strict=True)))
    return sums, sizes


def group_by_cluster(scores: Sequence[float], clusters: Sequence[Hashable]) -> list[list[float]]:
    """The scores of each cluster, clusters in order of first appearance."""
    _demand_one_cluster_a_score(scores, clusters)
    groups: dict[Hashable, list[float]] = {}
    for score, cluster in zip(scores, clusters, strict=True):
        groups.setdefault(cluster, []).append(score)
    return list(groups.values())


def _demand_one_cluster_a_score(scores: Sequence[float], clusters: Sequence[Hashable]) -> None:
    if len(scores) != len(clusters):
        raise MeasureError(
            "each score needs one cluster",
            got=f"{len(scores)} scores, {len(clusters)} clusters",
            expected="the same number of both",
        )
