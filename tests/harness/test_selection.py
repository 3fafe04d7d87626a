import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from benchproof.harness.selection import Question, Questions, pick_questions, pick_stratified

NAMES = st.text("abcdefgh0123456789", min_size=1, max_size=6)
POOLS = st.dictionaries(NAMES, st.sampled_from(["high", "mid", "low", None]), min_size=1, max_size=60)


@given(pool=POOLS, limit=st.integers(1, 70), seed=st.integers(0, 5))
def test_a_pick_has_the_size_asked_for_and_no_register_loses_more_than_a_seat(
    pool: dict[str, str | None], limit: int, seed: int
) -> None:
    picked = pick_stratified(pool, limit, seed)
    assert len(picked) == min(limit, len(pool))
    assert picked <= set(pool)
    share = Counter(pool.values())
    got = Counter(pool[name] for name in picked)
    for register, size in share.items():
        assert abs(got[register] - size * min(limit, len(pool)) / len(pool)) < 1


@given(pool=POOLS, limit=st.integers(1, 70), seed=st.integers(0, 5), order=st.randoms(use_true_random=False))
def test_a_pick_does_not_depend_on_the_order_of_the_file(
    pool: dict[str, str | None], limit: int, seed: int, order: random.Random
) -> None:
    shuffled = list(pool.items())
    order.shuffle(shuffled)
    assert pick_stratified(dict(shuffled), limit, seed) == pick_stratified(pool, limit, seed)


@given(pool=POOLS, extra=POOLS, limit=st.integers(1, 40))
def test_languages_keep_the_same_questions(
    pool: dict[str, str | None], extra: dict[str, str | None], limit: int
) -> None:
    # contract-bench §3: "max_rows picks by sha256(seed, question id), so that languages keep the same questions".
    en: list[Question] = list(pool.items())
    ms: list[Question] = en + [(name, register) for name, register in extra.items() if name not in pool]
    picks = pick_questions({"en": Questions(en), "ms": Questions(ms)}, limit, 0)
    if limit <= len(pool) and limit < len(ms):
        assert picks["ms"][0] <= set(pool)
        assert picks["ms"][0] == (picks["en"][0])
    else:
        assert picks["en"][0] <= picks["ms"][0]


def test_another_seed_picks_other_questions() -> None:
    pool: dict[str, str | None] = {f"q{number}": "mid" for number in range(40)}
    assert pick_stratified(pool, 10, 0) != pick_stratified(pool, 10, 1)


def test_the_pick_of_a_seed_is_fixed_for_ever() -> None:
    pool: dict[str, str | None] = {f"q{number}": ("mid" if number % 3 else "low") for number in range(12)}
    assert sorted(pick_stratified(pool, 4, 0)) == ["q11", "q2", "q8", "q9"]


def test_no_cap_is_all() -> None:
    assert pick_questions({"en": Questions([("a", None), ("b", None)])}, None, 0) == {"en": (frozenset("ab"), "all")}
    assert pick_questions({"en": Questions([("a", None), ("b", None)])}, 2, 0)["en"][1] == "all"
