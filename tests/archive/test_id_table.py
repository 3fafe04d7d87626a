import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from benchproof.archive import IdTable, digest_item_ids
from benchproof.canon import digest

IDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=60)


@given(IDS)
def test_an_id_has_the_number_of_its_first_coming_and_is_found_by_it(ids: list[str]) -> None:
    table = IdTable()
    first = list(dict.fromkeys(ids))
    assert [each for each in ids if table.add(each)] == first
    assert list(table) == first
    assert [table.number_of(each) for each in first] == list(range(len(first)))
    assert [table.text_of(number) for number in range(len(first))] == first


@given(IDS, IDS)
def test_an_id_that_did_not_come_is_not_there(ids: list[str], others: list[str]) -> None:
    table = IdTable(ids)
    for other in others:
        assert (other in table) == (other in ids)
        assert (table.number_of(other) is None) == (other not in ids)


@given(IDS)
def test_ids_are_sorted_by_code_points_as_texts_are(ids: list[str]) -> None:
    assert list(IdTable(ids).sort_texts()) == sorted(set(ids))


@given(IDS)
def test_the_digest_of_item_ids_is_that_of_their_sorted_list(ids: list[str]) -> None:
    assert digest_item_ids(ids) == digest_item_ids(IdTable(ids)) == digest(sorted(set(ids)))


def test_many_ids_are_sorted_in_parts_and_still_in_one_order() -> None:
    ids = [f"en/{number * 7919 % 5000:x}" for number in range(5000)]
    assert list(IdTable(ids).sort_texts()) == sorted(ids)


def test_an_id_costs_its_text_and_little_more() -> None:
    tracemalloc.start()
    try:
        table = IdTable(f"en/question-{number:08d}" for number in range(20_000))
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(table) == 20_000
    assert held / 20_000 < 20 + 24
    assert peak / 20_000 < 20 + 40
