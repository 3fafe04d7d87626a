from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.results import KeyDifference, Standing, differing_keys, find_standing, group_of, is_comparable
from results.samples import make_axis_of_run, make_manifest, make_setting


def stand(**changes: object) -> Standing:
    """The standing of the sample run with some setting keys changed."""
    return find_standing(make_manifest(), make_axis_of_run(setting=make_setting(**changes)))


def test_a_number_is_comparable_with_itself() -> None:
    assert is_comparable(stand(), stand())
    assert differing_keys(stand(), stand()) == []


@pytest.mark.parametrize("key", ["shots", "prompt", "cot", "split", "model_variant", "items", "chat_template"])
def test_each_hard_key_alone_forbids_a_ranking(key: str) -> None:
    left, right = stand(), stand(**{key: "another"})
    assert not is_comparable(left, right)
    assert group_of(left) != group_of(right)
    assert [(d.key, d.hard) for d in differing_keys(left, right)] == [(key, True)]


@pytest.mark.parametrize("key", ["quantization", "harness"])
def test_a_soft_key_is_listed_and_decides_nothing(key: str) -> None:
    left, right = stand(), stand(**{key: "another"})
    assert is_comparable(left, right)
    assert group_of(left) == group_of(right)
    assert [(d.key, d.hard) for d in differing_keys(left, right)] == [(key, False)]


def test_absent_is_unknown() -> None:
    setting = make_setting()
    del setting["prompt"]
    bare = find_standing(make_manifest(), make_axis_of_run(setting=setting))
    assert group_of(bare) == group_of(stand(prompt="unknown"))
    assert group_of(bare).unknown == ("prompt",)


def test_an_unknown_hard_key_is_like_nothing_not_even_another_unknown() -> None:
    assert differing_keys(stand(prompt="unknown"), stand(prompt="unknown")) == [
        KeyDifference("prompt", "unknown", "unknown", hard=True)
    ]
    assert not is_comparable(stand(prompt="unknown"), stand(prompt="unknown"))


def test_a_soft_key_unknown_on_both_sides_is_not_a_difference() -> None:
    assert differing_keys(stand(quantization="unknown"), stand(quantization="unknown")) == []


def test_differences_come_in_catalogue_order() -> None:
    differences = differing_keys(stand(), stand(harness="x", items="first@3", shots=5, zeta="z"))
    assert [d.key for d in differences] == ["shots", "items", "harness", "zeta"]


def test_other_versions_metrics_languages_and_slices_are_never_comparable() -> None:
    left = stand()
    for changes in ({"benchmark": "starter/reading@0.2"}, {"metric": "choice-accuracy.none"}, {"language": "ms"},
                    {"slice": "register=high"}):  # fmt: skip
        right = replace(left, **changes)  # type: ignore[arg-type]
        assert not is_comparable(left, right)
        assert group_of(left) != group_of(right)


def test_drafts_are_comparable_within_one_digest_alone() -> None:
    other = {"name": "starter", "bench_version": "0.1", "digest": "a" * 64}
    left, right = stand(), find_standing(make_manifest(bench=other), make_axis_of_run())
    assert differing_keys(left, right) == [KeyDifference("bench_digest", "b" * 64, "a" * 64, hard=True)]


def test_a_finished_version_is_known_by_its_number() -> None:
    one = {"name": "starter", "bench_version": "1.0", "digest": "a" * 64}
    two = one | {"digest": "b" * 64}
    assert is_comparable(
        find_standing(make_manifest(bench=one), make_axis_of_run()),
        find_standing(make_manifest(bench=two), make_axis_of_run()),
    )


def test_a_key_is_hard_when_it_decides_for_either_side() -> None:
    left = stand()
    right = replace(stand(quantization="Q4_K_M"), hard_keys=(*left.hard_keys, "quantization"))
    assert not is_comparable(left, right)
    assert not is_comparable(right, left)


values = st.sampled_from(["a", "b", "unknown", None])
settings = st.fixed_dictionaries(dict.fromkeys(("shots", "prompt", "quantization"), values))


@given(settings, settings, settings)
def test_comparability_is_symmetric_and_transitive(a: dict[str, str], b: dict[str, str], c: dict[str, str]) -> None:
    first, second, third = stand(**a), stand(**b), stand(**c)
    assert is_comparable(first, second) == is_comparable(second, first)
    if is_comparable(first, second) and is_comparable(second, third):
        assert is_comparable(first, third)


@given(settings, settings)
def test_comparable_numbers_share_a_group_with_nothing_unknown(a: dict[str, str], b: dict[str, str]) -> None:
    """Clause: "Absent = `unknown`. Group = version / metric / each applicable hard key in schema order."."""
    left, right = stand(**a), stand(**b)
    same_group = group_of(left) == group_of(right) and not group_of(left).unknown
    assert is_comparable(left, right) == same_group
