from hypothesis import given
from hypothesis import strategies as st

from benchproof.measure import ClusterBook
from benchproof.scores import AxisClusters, ItemScore, ScoreColumns

ITEMS = st.lists(
    st.builds(
        ItemScore,
        item_id=st.text("abc", max_size=4),
        score=st.sampled_from([0.0, 0.25, 1.0]),
        outcome=st.just("scored"),
        cluster=st.sampled_from(["p", "q"]),
        register=st.sampled_from([None, "high", "low"]),
        choices=st.sampled_from([None, 2, 4]),
        tie=st.booleans(),
        empty=st.booleans(),
        capped=st.booleans(),
    )
    | st.builds(
        ItemScore,
        item_id=st.text("abc", max_size=4),
        score=st.none(),
        outcome=st.sampled_from(["unasked", "errored"]),
        cluster=st.just("p"),
        register=st.none(),
    ),
    unique_by=lambda item: item.item_id,
)


@given(ITEMS)
def test_scores_come_back_from_columns_as_they_went_in(items: list[ItemScore]) -> None:
    columns = ScoreColumns.gather(items)
    assert list(columns) == items
    assert [columns[index] for index in range(len(items))] == items
    assert list(columns.sort()) == sorted(items, key=lambda item: item.item_id)
    low = columns.select(lambda facts: facts.register == "low")
    assert list(low) == sorted((item for item in items if item.register == "low"), key=lambda item: item.item_id)
    assert low.count_facts().total() == len(low)


@given(st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=3), max_size=12))
def test_clusters_by_number_are_those_by_name(joins: list[list[str]]) -> None:
    by_name, by_number = ClusterBook(), AxisClusters()
    anchors = []
    for names in joins:
        by_name.join(names)
        anchors.append((names[0], by_number.join(names)))
    assert [by_number.name_of(by_number.find(number)) for _, number in anchors] == [by_name.find(n) for n, _ in anchors]
