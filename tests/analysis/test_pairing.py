from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from analysis.samples import make_items
from benchproof.analysis.pairing import ScoredItem, pair_items


def test_an_item_scored_in_both_is_a_pair() -> None:
    pairs, unpaired = pair_items(make_items("10"), make_items("11"))
    assert [(pair.item_id, pair.score_a, pair.score_b) for pair in pairs] == [("en/q00", 1, 1), ("en/q01", 0, 1)]
    assert unpaired.count() == 0


def test_whatever_is_in_no_pair_is_counted_with_its_reason() -> None:
    left, right = make_items("1x1xx"), make_items("11x0x0")
    right[3] = replace(right[3], content="another question")
    pairs, unpaired = pair_items(left, right)
    assert [pair.item_id for pair in pairs] == ["en/q00"]
    assert {reason: ids for reason, ids in unpaired.by_reason().items() if ids} == {
        "only in B": ("en/q05",),
        "asked otherwise": ("en/q03",),
        "not scored in A": ("en/q01",),
        "not scored in B": ("en/q02",),
        "not scored in both": ("en/q04",),
    }


def test_items_of_a_passage_are_one_cluster() -> None:
    pairs, _ = pair_items(make_items("1010", cluster_size=2), make_items("0101", cluster_size=2))
    assert pairs[0].cluster == pairs[1].cluster != pairs[2].cluster == pairs[3].cluster


def test_what_one_run_puts_together_is_together_for_both() -> None:
    left = [replace(item, cluster="all of it") for item in make_items("1010", cluster_size=2)]
    pairs, _ = pair_items(left, make_items("0101", cluster_size=2))
    assert len({pair.cluster for pair in pairs}) == 1


outcomes = st.text(alphabet="01x", max_size=12)


@given(outcomes, outcomes)
def test_every_item_is_in_a_pair_or_counted(left: str, right: str) -> None:
    pairs, unpaired = pair_items(make_items(left), make_items(right))
    assert len(pairs) + unpaired.count() == max(len(left), len(right))


@given(outcomes, outcomes)
def test_swapping_the_runs_swaps_the_reasons(left: str, right: str) -> None:
    _, one = pair_items(make_items(left), make_items(right))
    _, other = pair_items(make_items(right), make_items(left))
    assert (one.only_a, one.unscored_a, one.changed) == (other.only_b, other.unscored_b, other.changed)


@given(st.permutations(make_items("1010x", cluster_size=2)))
def test_the_order_of_items_does_not_show(items: list[ScoredItem]) -> None:
    right = make_items("01011", cluster_size=2)
    assert pair_items(items, right) == pair_items(make_items("1010x", cluster_size=2), right)
