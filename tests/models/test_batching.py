"""``shared`` and ``passage`` on weights whose logits betray every decode that made them (contract-bench §4)."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.models import BatchingMethod, CallFailure, ChoiceRequest, ChoiceScores
from benchproof.models.likelihoods import ChoiceScorer
from models.fakes import FakeWeights

Ask = tuple[ChoiceRequest, str | None]


def scored(scorer: ChoiceScorer, context: str, *texts: str, passage: str | None = None) -> ChoiceScores:
    outcome = scorer.score(ChoiceRequest(context, texts), passage)
    assert isinstance(outcome, ChoiceScores), outcome
    return outcome


def test_shared_is_one_decode_an_item_with_every_candidate_whole() -> None:
    weights = FakeWeights()
    outcome = scored(ChoiceScorer(weights, "shared"), "xyz", " q", " rst", passage="xy")
    ids = [weights.tokenize(" q"), weights.tokenize(" rst")]
    assert weights.branchings == [(tuple(weights.tokenize("xyz")), tuple(map(tuple, ids)), 0)]
    assert (weights.calls, weights.holds) == ([], [])
    assert [list(candidate.token_ids) for candidate in outcome.candidates] == ids
    assert (outcome.batching, outcome.flags, outcome.context_tokens) == ("shared", (), 3)


def test_passage_holds_the_tokens_of_its_text_less_the_last_once_for_all_items() -> None:
    weights = FakeWeights()
    scorer = ChoiceScorer(weights, "passage")
    for question in ("z", "w", "z"):
        assert scored(scorer, f"xy{question}", " q", " r", passage="xy").batching == "passage"
    assert weights.holds == [tuple(weights.tokenize("x"))]
    assert [held for _stem, _branches, held in weights.branchings] == [1, 1, 1]


def test_another_passage_takes_the_place_of_the_first() -> None:
    weights = FakeWeights()
    scorer = ChoiceScorer(weights, "passage")
    for passage in ("xyz", "zyx", "xyz"):
        scored(scorer, f"{passage}w", " q", " r", passage=passage)
    assert weights.holds == [tuple(weights.tokenize(text)) for text in ("xy", "zy", "xy")]


def test_a_bos_is_held_with_the_passage() -> None:
    weights = FakeWeights(adds_bos=True)
    outcome = scored(ChoiceScorer(weights, "passage"), "xyz", " q", " r", passage="xy")
    assert (outcome.batching, outcome.flags) == ("passage", ())
    assert weights.holds == [(0, *weights.tokenize("x"))]


def test_items_without_a_passage_are_shared_and_that_is_no_finding() -> None:
    outcome = scored(ChoiceScorer(FakeWeights(), "passage"), "xyz", " q", " r")
    assert (outcome.batching, outcome.flags) == ("shared", ())


@pytest.mark.parametrize(
    ("context", "passage"),
    [
        ("xabz", "xay"),  # another text
        ("xabz", "xaab"),  # longer than what they share
        ("xabz", "xab z"),  # "ab" stays one token, the rest is another
        ("xyz", ""),  # nothing to hold
        ("xyz", "x"),  # nothing is left to hold without the last
    ],
)
def test_a_passage_whose_tokens_the_prompt_does_not_begin_with_is_shared_and_flagged(
    context: str, passage: str
) -> None:
    outcome = scored(ChoiceScorer(FakeWeights(), "passage"), context, " q", " r", passage=passage)
    assert (outcome.batching, outcome.flags) == ("shared", ("fell_back_shared",))


def test_a_token_over_the_end_of_the_passage_is_not_held_in_halves() -> None:
    """The passage ends with "a", the question begins with "b", and "ab" is one token."""
    weights = FakeWeights()
    outcome = scored(ChoiceScorer(weights, "passage"), "xyab", " q", " r", passage="xya")
    assert (outcome.batching, weights.holds) == ("passage", [tuple(weights.tokenize("xy"))])


def test_a_join_token_at_the_end_of_the_passage_leaves_nothing_to_branch_from() -> None:
    outcome = scored(ChoiceScorer(FakeWeights(), "passage"), "xya", "b", "b c", passage="xya")
    assert (outcome.join_token, outcome.batching, outcome.flags) == (True, "shared", ("fell_back_shared",))


@pytest.mark.parametrize("method", ["shared", "passage"])
def test_more_candidates_than_a_decode_tells_apart_are_exact_and_flagged(method: BatchingMethod) -> None:
    weights = FakeWeights(max_branches=3)
    texts = [" q", " r", " s", " t"]
    outcome = scored(ChoiceScorer(weights, method), "xyz", *texts, passage="xy")
    assert (outcome.batching, outcome.flags) == ("exact", ("fell_back_exact",))
    assert outcome.candidates == scored(ChoiceScorer(FakeWeights()), "xyz", *texts).candidates
    assert scored(ChoiceScorer(weights, method), "xyz", *texts[:3], passage="xy").batching == method


@pytest.mark.parametrize("method", ["shared", "passage"])
def test_candidates_that_fit_alone_and_not_together_are_exact_and_flagged(method: BatchingMethod) -> None:
    together = ["xyz", " qr", " stu"]  # 3 + 3 + 4 tokens
    tight, loose = FakeWeights(context_tokens=9), FakeWeights(context_tokens=10)
    outcome = scored(ChoiceScorer(tight, method), *together, passage="xy")
    assert (outcome.batching, outcome.flags) == ("exact", ("fell_back_exact",))
    assert scored(ChoiceScorer(loose, method), *together, passage="xy").batching == method


def test_exact_shares_nothing_and_flags_nothing() -> None:
    weights = FakeWeights()
    outcome = scored(ChoiceScorer(weights, "exact"), "xyz", " q", " r", passage="xy")
    assert (outcome.batching, outcome.flags) == ("exact", ())
    assert (weights.holds, weights.branchings) == ([], [])


@pytest.mark.parametrize("method", ["shared", "passage"])
def test_a_failing_decode_is_a_backend_failure_and_the_passage_is_made_again_after_it(method: BatchingMethod) -> None:
    weights = FakeWeights()
    scorer = ChoiceScorer(weights, method)
    first = scored(scorer, "xyz", " q", " r", passage="xy")
    weights.fault = "llama_decode returned 1"
    failed = scorer.score(ChoiceRequest("xyw", (" q", " r")), "xy")
    assert failed == CallFailure("backend", "llama_decode returned 1")
    weights.fault = None
    assert scored(scorer, "xyz", " q", " r", passage="xy") == first
    assert len(weights.holds) == (2 if method == "passage" else 0)


def test_an_interrupt_within_a_decode_leaves_nothing_to_build_on(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = FakeWeights()
    scorer = ChoiceScorer(weights, "passage")
    first = scored(scorer, "xyz", " q", " r", passage="xy")

    def interrupt(*_arguments: object, **_options: object) -> None:
        weights._cells.append("half of a branch")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(weights, "evaluate_branches", interrupt)
        with pytest.raises(KeyboardInterrupt):
            scorer.score(ChoiceRequest("xyw", (" q", " r")), "xy")
    assert scored(scorer, "xyz", " q", " r", passage="xy") == first


@st.composite
def lists_of_asks(draw: st.DrawFn) -> list[Ask]:
    """Items of few passages, some without one, some with one that is not theirs, some too large to share."""
    asks = []
    for _ in range(draw(st.integers(1, 6))):
        passage = draw(st.sampled_from(["xy", "xya", "zab ", "zab c", None]))
        beginning = passage or draw(st.sampled_from(["", "xy"]))
        context = beginning + draw(st.text(alphabet="ab xz", min_size=1, max_size=5))
        texts = draw(st.lists(st.text(alphabet="ab cd", min_size=1, max_size=4), min_size=2, max_size=5))
        asks.append((ChoiceRequest(context, tuple(texts)), draw(st.sampled_from([passage, "xyab"]))))
    return asks


def ask_all(scorer: ChoiceScorer, asks: Sequence[Ask]) -> list[ChoiceScores | CallFailure]:
    return [scorer.score(*ask) for ask in asks]


@given(asks=lists_of_asks(), method=st.sampled_from(["exact", "shared", "passage"]), data=st.data())
def test_an_answer_depends_on_its_own_item_and_passage_alone(
    asks: list[Ask], method: BatchingMethod, data: st.DataObject
) -> None:
    """contract-bench §4: "The batch shape of an item depends on that item and its passage text alone, never on
    neighbours, so that resume, replay and shards give the same bytes."
    """
    weights = FakeWeights(context_tokens=24, max_branches=4)
    alone = [ChoiceScorer(FakeWeights(context_tokens=24, max_branches=4), method).score(*ask) for ask in asks]
    order = data.draw(st.permutations(range(len(asks))))
    subset = order[: data.draw(st.integers(1, len(asks)))]
    scorer = ChoiceScorer(weights, method)
    assert ask_all(scorer, [asks[index] for index in subset]) == [alone[index] for index in subset]
    assert ask_all(scorer, asks) == alone
