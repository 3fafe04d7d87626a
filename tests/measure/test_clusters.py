"""Connected components of passages and overlap groups."""

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import ClusterBook, MeasureError, connected_components, item_names
from benchproof.measure.clusters import group_by_cluster, sum_by_cluster


def test_items_of_a_passage_are_one_cluster() -> None:
    assert connected_components(["a", "b", "a"], [[], [], []]) == [0, 1, 0]


def test_items_without_a_passage_are_clusters_of_their_own() -> None:
    assert connected_components([None, None, "a", None], [[], [], [], []]) == [0, 1, 2, 3]


def test_an_overlap_group_joins_passages() -> None:
    assert connected_components(["a", "b", "c", "b"], [["x"], ["x"], [], []]) == [0, 0, 1, 0]


def test_groups_join_through_one_another() -> None:
    assert connected_components([None, None, None, None], [["x"], ["x", "y"], ["y"], ["z"]]) == [0, 0, 0, 1]


def test_a_passage_and_a_group_of_one_name_are_different() -> None:
    assert connected_components(["x", None], [[], ["x"]]) == [0, 1]


def test_passages_without_their_groups_are_refused() -> None:
    with pytest.raises(MeasureError, match="item by item"):
        connected_components(["a"], [])


def test_a_component_is_called_by_its_smallest_name() -> None:
    book = ClusterBook()
    book.join(["m", "z"])
    book.join(["z", "b"])
    assert {book.find(name) for name in "mzb"} == {"b"}
    assert book.find("q") == "q"
    book.join([])


def test_an_item_is_named_only_where_nothing_else_holds_it() -> None:
    assert item_names("i", None, []) == ["item:i"]
    assert item_names("i", "p", ["g"]) == ["group:g", "passage:p"]


names = st.sampled_from("abcde")
item = st.tuples(st.one_of(st.none(), names), st.lists(names, max_size=2))


@given(st.lists(item, max_size=25))
def test_components_are_what_a_walk_from_item_to_item_reaches(items: list[tuple[str | None, list[str]]]) -> None:
    def is_linked(one: int, other: int) -> bool:
        (passage, groups), (passage_of_other, groups_of_other) = items[one], items[other]
        return (passage is not None and passage == passage_of_other) or bool(set(groups) & set(groups_of_other))

    expected: list[int] = [-1] * len(items)
    for start in range(len(items)):
        if expected[start] >= 0:
            continue
        number = max(expected, default=-1) + 1
        waiting = [start]
        while waiting:
            here = waiting.pop()
            expected[here] = number
            waiting += [there for there in range(len(items)) if expected[there] < 0 and is_linked(here, there)]
    assert connected_components([passage for passage, _ in items], [groups for _, groups in items]) == expected


@given(st.lists(item, max_size=15), st.randoms(use_true_random=False))
def test_names_of_components_do_not_depend_on_the_order_of_items(
    items: list[tuple[str | None, list[str]]], random: object
) -> None:
    def name_components(order: list[int]) -> dict[int, str]:
        book = ClusterBook()
        for number in order:
            book.join(item_names(str(number), *items[number]))
        return {number: book.find(item_names(str(number), *items[number])[0]) for number in order}

    order = list(range(len(items)))
    assert name_components(order) == name_components(order[::-1])


@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 6)), max_size=40))
def test_sums_of_clusters_are_the_rounded_sums_of_their_scores(data: list[tuple[float, int]]) -> None:
    scores, clusters = [score for score, _ in data], [cluster for _, cluster in data]
    groups = group_by_cluster(scores, clusters)
    sums, sizes = sum_by_cluster(scores, clusters)
    assert list(sums) == [math.fsum(group) for group in groups]
    assert list(sizes) == [len(group) for group in groups]
    assert sum_by_cluster(array("d", scores), array("I", clusters)) == (sums, sizes)


def test_scores_without_their_clusters_are_refused() -> None:
    with pytest.raises(MeasureError, match="each score needs one cluster"):
        sum_by_cluster([1.0], [])
