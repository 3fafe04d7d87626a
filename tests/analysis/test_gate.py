"""Verdicts of a gate: shown either way or not told; what may differ; families; missing answers."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.samples import make_items, make_scored_axis, make_scored_run
from benchproof.analysis import AxisGate, Gate, GateError, gate_runs
from benchproof.analysis.contrast_parts import ScoredAxis, ScoredRun
from benchproof.analysis.gate_family import show_family
from benchproof.measure import Design, detectable_difference, holm, items_needed

MARGINS = st.floats(0.005, 0.6)
PAIRS = st.integers(4, 40).flatmap(lambda n: st.tuples(*[st.text("0011x", min_size=n, max_size=n)] * 2))


def make_run(name: str, outcomes: str, **options: Any) -> ScoredRun:
    return make_scored_run(name, reading__en=make_scored_axis(outcomes, **options))


def gate_one(candidate: str, reference: str, margin: float, *, cluster_size: int = 1, **options: Any) -> AxisGate:
    runs = [make_run(name, each, cluster_size=cluster_size) for name, each in (("new", candidate), ("old", reference))]
    (axis,) = gate_runs(*runs, margin=margin, **options).axes
    return axis


def gate_several(outcomes: Sequence[tuple[str, str]], margin: float) -> Gate:
    named = {f"a{number}__en": each for number, each in enumerate(outcomes)}
    new = make_scored_run("new", **{key: make_scored_axis(mine) for key, (mine, _) in named.items()})
    old = make_scored_run("old", **{key: make_scored_axis(theirs) for key, (_, theirs) in named.items()})
    return gate_runs(new, old, margin=margin)


def test_a_loss_that_is_ruled_out_passes() -> None:
    axis = gate_one("1101" * 75, "1101" * 74 + "0111", 0.03)
    assert (axis.verdict, axis.reasons, axis.items) == ("pass", (), None)
    assert axis.above is not None
    assert axis.above.bound > -0.03


def test_a_loss_that_is_shown_fails() -> None:
    axis = gate_one("0" * 20 + "1" * 60, "1" * 80, 0.05)
    assert axis.verdict == "fail"
    assert axis.below is not None
    assert axis.below.bound < -0.05
    assert (axis.gains, axis.losses, axis.change) == (0, 20, -0.25)


def test_few_items_tell_nothing_and_say_how_many_would_decide() -> None:
    axis = gate_one("1101110", "1011110", 0.05)
    assert (axis.verdict, axis.reasons) == ("cannot tell", ("too few items for this margin",))
    assert axis.items is not None
    assert axis.items.if_alike is not None
    assert axis.items.if_alike > 7
    assert axis.items.margin is not None
    assert axis.items.margin > 0.05


def test_equal_answers_pass_when_there_are_enough_of_them() -> None:
    """A change that changes nothing is the most frequent one."""
    assert gate_one("10" * 150, "10" * 150, 0.02).verdict == "pass"
    few = gate_one("10" * 20, "10" * 20, 0.02)
    assert few.verdict == "cannot tell"
    assert few.items is not None
    assert few.items.if_alike is not None
    assert gate_one("1" * few.items.if_alike, "1" * few.items.if_alike, 0.02).verdict == "pass"
    assert gate_one("1" * (few.items.if_alike - 1), "1" * (few.items.if_alike - 1), 0.02).verdict == "cannot tell"


def test_as_many_items_as_are_named_decide_if_all_stays_as_it_is() -> None:
    axis = gate_one("1101110111" * 3, "1011110111" * 3, 0.05)
    assert axis.items is not None
    assert axis.items.if_as_seen is not None
    times = -(-axis.items.if_as_seen // axis.n)
    assert gate_one("1101110111" * 3 * times, "1011110111" * 3 * times, 0.05).verdict == "pass"


def test_one_passage_tells_nothing() -> None:
    axis = gate_one("1" * 8, "1" * 8, 0.5, cluster_size=8)
    assert (axis.verdict, axis.reasons) == ("cannot tell", ("one cluster",))


def test_a_shared_passage_counts_for_less_than_as_many_items() -> None:
    candidate, reference = "1111111100000000" * 8, "1111111111111111" * 7 + "0" * 16
    alone, shared = (gate_one(candidate, reference, 0.6, cluster_size=size) for size in (1, 8))
    assert alone.above is not None
    assert shared.above is not None
    assert shared.above.bound < alone.above.bound


@given(PAIRS, MARGINS, MARGINS, st.sampled_from([1, 2, 4]))
def test_a_wider_margin_never_makes_a_verdict_worse(
    outcomes: tuple[str, str], one: float, other: float, size: int
) -> None:
    order = ("fail", "cannot tell", "pass")
    strict, loose = (gate_one(*outcomes, margin, cluster_size=size) for margin in sorted((one, other)))
    assert order.index(strict.verdict) <= order.index(loose.verdict)


@given(PAIRS, MARGINS, st.sampled_from([1, 3]))
def test_a_pass_has_its_bound_above_the_margin_and_a_fail_below(
    outcomes: tuple[str, str], margin: float, size: int
) -> None:
    """Clause: one-sided interval of the paired clustered difference; pass, fail, cannot tell."""
    axis = gate_one(*outcomes, margin, cluster_size=size)
    if axis.above is None or axis.below is None:
        assert axis.verdict == "cannot tell"
        return
    assert (axis.verdict == "pass") == (axis.above.bound > -margin - 1e-8) or abs(axis.above.bound + margin) < 1e-8
    assert (axis.verdict == "fail") == (axis.below.bound < -margin + 1e-8) or abs(axis.below.bound + margin) < 1e-8


@given(PAIRS, MARGINS)
def test_the_same_loss_either_way_round_is_judged_alike(outcomes: tuple[str, str], margin: float) -> None:
    """Turning every answer into its opposite, and the sides round, leaves each difference as it was."""
    opposite = str.maketrans("01", "10")
    candidate, reference = (each.translate(opposite) for each in outcomes[::-1])
    one, other = gate_one(*outcomes, margin), gate_one(candidate, reference, margin)
    assert (one.verdict, one.above, one.gains, one.losses) == (other.verdict, other.above, other.gains, other.losses)


@given(PAIRS, MARGINS)
def test_no_run_both_falls_behind_another_and_is_fallen_behind_by_it(outcomes: tuple[str, str], margin: float) -> None:
    assert {gate_one(*outcomes, margin).verdict, gate_one(outcomes[1], outcomes[0], margin).verdict} != {"fail"}


def test_holm_goes_over_the_axes_that_are_gated() -> None:
    """Clause: the family is one printed table."""
    gate = gate_several(
        [("1101" * 75, "1101" * 74 + "0111"), ("10" * 60, "10" * 60), ("10" * 40, "01" + "10" * 39)], 0.03
    )
    above = [axis.above for axis in gate.axes if axis.above]
    assert [each.p_holm for each in above] == holm([each.p for each in above])
    assert [axis.verdict for axis in gate.axes] == ["pass" if each.p_holm <= 0.05 else "cannot tell" for each in above]


@given(st.lists(st.floats(0, 1), max_size=6), st.sampled_from([0.8, 0.95]))
def test_a_step_is_shown_where_its_adjusted_p_is_small_and_nowhere_else(ps: list[float], level: float) -> None:
    """So that a bound at the size of the step lies beyond the margin exactly where the verdict says so."""
    assume(all(abs(p - level) > 1e-9 for p in ps))
    for step in show_family(ps, level):
        assert step.is_shown == (step.p <= step.alpha)
        assert step.is_shown == (step.p_holm <= 1.0 - level) or abs(step.p_holm - 1.0 + level) < 1e-9


def test_the_procedure_stops_at_the_first_that_is_not_shown() -> None:
    assert [step.is_shown for step in show_family([0.04, 0.001, 0.03], 0.95)] == [False, True, False]


def test_the_number_of_items_is_by_the_formula_at_the_strictest_step() -> None:
    flipping = ("1100" * 30, "1010" * 30)
    alone = gate_several([flipping], 0.05).axes[0].items
    among = gate_several([flipping] * 3, 0.05).axes[0].items
    variance = 60 / 119
    for found, level in ((alone, 0.95), (among, 1 - 0.05 / 3)):
        assert found is not None
        assert found.if_alike == math.ceil(items_needed(0.05, Design(variance), level=level, sides=1))
        assert found.margin == pytest.approx(detectable_difference(120, Design(variance), level=level, sides=1))


def test_an_axis_alone_may_pass_and_not_among_others() -> None:
    just = ("1" * 105, "1" * 105)
    assert gate_several([just], 0.03).verdict == "pass"
    gate = gate_several([just, ("10", "01"), ("10", "01")], 0.03)
    assert [axis.verdict for axis in gate.axes] == ["cannot tell"] * 3


def test_one_axis_that_fails_fails_the_gate_and_one_that_is_not_told_passes_none() -> None:
    good, bad, small = ("1" * 300, "1" * 300), ("0" * 40 + "1" * 40, "1" * 80), ("10", "10")
    assert gate_several([good, bad, small], 0.05).verdict == "fail"
    assert gate_several([good, small], 0.05).verdict == "cannot tell"
    assert gate_several([good, good], 0.05).verdict == "pass"


def test_answers_that_are_missing_count_against_a_pass() -> None:
    """Who leaves the hard items out passes no gate."""
    axis = gate_one("1" * 180 + "x" * 20, "1" * 200, 0.05)
    assert (axis.verdict, axis.reasons, axis.missing) == ("cannot tell", ("the missing answers decide",), 20)
    assert gate_one("1" * 180, "1" * 180, 0.05).verdict == "pass"


def test_answers_that_are_missing_count_against_a_fail() -> None:
    assert gate_one("0" * 20 + "1" * 180, "1" * 200, 0.05).verdict == "fail"
    axis = gate_one("0" * 20 + "x" * 20 + "1" * 160, "0" * 20 + "1" * 180, 0.05)
    assert axis.verdict == "cannot tell"
    assert gate_one("0" * 40 + "x" * 2 + "1" * 158, "1" * 40 + "0" * 2 + "1" * 158, 0.05).verdict == "fail"


def test_items_that_one_log_lacks_count_as_missing() -> None:
    """Logs of other harnesses may leave out what failed."""
    axis = gate_one("1" * 180, "1" * 180 + "0" * 20, 0.05)
    assert (axis.verdict, axis.missing) == ("pass", 20)
    axis = gate_one("1" * 180, "1" * 200, 0.05)
    assert (axis.verdict, axis.missing, axis.reasons) == ("cannot tell", 20, ("the missing answers decide",))


def test_other_items_that_may_differ_are_not_missing() -> None:
    new, old = change_setting(make_run("new", "1" * 180), items="first 180"), make_run("old", "1" * 200)
    (axis,) = gate_runs(new, old, margin=0.05, allow=["items"]).axes
    assert (axis.verdict, axis.missing, axis.n) == ("pass", 0, 180)


def test_missing_answers_of_unbounded_scores_tell_nothing() -> None:
    items = [replace(item, score=3.0 + place % 2) for place, item in enumerate(make_items("1" * 60))]
    new = make_scored_run("new", a__en=make_scored_axis([replace(items[0], score=None), *items[1:]]))
    (axis,) = gate_runs(new, make_scored_run("old", a__en=make_scored_axis(items)), margin=0.5).axes
    assert axis.reasons[0] == "answers are missing, and nothing bounds their scores"


def test_what_neither_run_scored_says_nothing_of_a_change() -> None:
    assert gate_one("1" * 300 + "xx", "1" * 300 + "xx", 0.02).verdict == "pass"


@given(PAIRS, MARGINS, st.integers(0, 3))
def test_no_missing_answers_could_have_turned_a_verdict_round(
    outcomes: tuple[str, str], margin: float, answer: int
) -> None:
    both = [(a, b) for a, b in zip(*outcomes, strict=True) if (a, b) != ("x", "x")]
    assume(both)
    candidate, reference = ("".join(column) for column in zip(*both, strict=True))
    told = gate_one(candidate, reference, margin)
    filled = gate_one(candidate.replace("x", str(answer % 2)), reference.replace("x", str(answer // 2)), margin)
    if told.verdict != "cannot tell":
        assert filled.verdict != {"pass": "fail", "fail": "pass"}[told.verdict]


def change_setting(run: ScoredRun, **setting: Any) -> ScoredRun:
    """The run with other settings on all of its axes."""

    def change(axis: ScoredAxis) -> ScoredAxis:
        return replace(axis, standing=replace(axis.standing, setting={**axis.standing.setting, **setting}))

    return replace(run, axes={key: change(axis) for key, axis in run.axes.items()})


def test_a_hard_key_that_differs_tells_nothing_unless_it_is_allowed() -> None:
    new, old = change_setting(make_run("new", "1" * 300), shots=5), make_run("old", "1" * 300)
    (axis,) = gate_runs(new, old, margin=0.05).axes
    assert (axis.verdict, axis.blocked_by, axis.reasons) == ("cannot tell", ("shots",), ("confounded by shots",))
    assert (axis.differences[0].left, axis.differences[0].right) == ("0", "5")
    assert gate_runs(new, old, margin=0.05, allow=["shots"]).verdict == "pass"
    assert gate_runs(new, old, margin=0.05, allow=["prompt"]).verdict == "cannot tell"


def test_a_soft_key_that_differs_is_named_and_stops_nothing() -> None:
    new, old = change_setting(make_run("new", "1" * 300), quantization="Q4_K_M"), make_run("old", "1" * 300)
    (axis,) = gate_runs(new, old, margin=0.05).axes
    assert axis.verdict == "pass"
    assert [difference.key for difference in axis.differences] == ["quantization"]


def test_a_confounded_axis_is_no_member_of_the_family() -> None:
    clean, other = make_scored_axis("1" * 105), make_scored_axis("1" * 105, setting={"shots": 5})
    new = make_scored_run("new", a__en=clean, b__en=other)
    old = make_scored_run("old", a__en=clean, b__en=clean)
    assert [axis.verdict for axis in gate_runs(new, old, margin=0.03).axes] == ["pass", "cannot tell"]


def test_an_axis_that_the_candidate_lacks_is_not_told() -> None:
    axis = make_scored_axis("1" * 300)
    gate = gate_runs(
        make_scored_run("new", a__en=axis, c__en=axis), make_scored_run("old", a__en=axis, b__en=axis), margin=0.05
    )
    assert [(each.axis_key, each.verdict) for each in gate.axes] == [("a.en", "pass"), ("b.en", "cannot tell")]
    assert gate.axes[1].reasons == ("the candidate has no such axis",)
    assert gate.not_gated == ("c.en",)


def test_another_version_of_the_benchmark_is_not_told() -> None:
    new = make_scored_run("new", a__en=make_scored_axis("1" * 99, standing={"benchmark": "starter/reading@0.2"}))
    (axis,) = gate_runs(new, make_scored_run("old", a__en=make_scored_axis("1" * 99)), margin=0.05).axes
    assert axis.reasons == ("benchmark starter/reading@0.2 against starter/reading@0.1",)


def test_where_lower_is_better_a_higher_score_is_the_loss() -> None:
    def make_brier(name: str, score: float) -> ScoredRun:
        items = [replace(item, score=score + 0.002 * (place % 3)) for place, item in enumerate(make_items("1" * 60))]
        return make_scored_run(name, a__en=make_scored_axis(items, standing={"metric": "brier"}))

    (worse,) = gate_runs(make_brier("new", 0.5), make_brier("old", 0.2), margin=0.05).axes
    assert worse.lower_is_better
    assert worse.change == pytest.approx(-0.3)


def test_where_lower_is_better_a_missing_answer_counts_as_a_high_score() -> None:
    def make_losses(name: str, missing: int) -> ScoredRun:
        scores = [None] * missing + [0.2 + 0.01 * (place % 3) for place in range(60 - missing)]
        items = [replace(item, score=score) for item, score in zip(make_items("1" * 60), scores, strict=True)]
        return make_scored_run(name, a__en=make_scored_axis(items, standing={"metric": "brier"}))

    (axis,) = gate_runs(make_losses("new", 10), make_losses("old", 0), margin=0.05).axes
    assert (axis.verdict, axis.missing) == ("cannot tell", 10)
    assert axis.above is not None
    assert axis.above.bound < -10 / 60 * 0.8


def test_a_metric_of_unknown_direction_is_not_told() -> None:
    runs = [make_scored_run(name, a__en=make_scored_axis("10", standing={"metric": "mood"})) for name in ("new", "old")]
    (axis,) = gate_runs(*runs, margin=0.05).axes
    assert axis.reasons == ("whether more of mood is better is not known",)


def test_axes_are_named_whole_or_by_axis() -> None:
    axes = {key: make_scored_axis("10") for key in ("facts__en", "reading__en", "reading__ms")}
    new, old = make_scored_run("new", **axes), make_scored_run("old", **axes)

    def list_keys(*named: str) -> list[str]:
        return [axis.axis_key for axis in gate_runs(new, old, margin=0.05, axes=named).axes]

    assert list_keys() == ["facts.en", "reading.en", "reading.ms"]
    assert list_keys("reading") == ["reading.en", "reading.ms"]
    assert list_keys("reading.ms", "facts") == ["facts.en", "reading.ms"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"axes": ["raeding"]}, r"no such axis; got raeding; expected reading\.en"),
        ({"allow": ["promt"]}, "no such key; got promt; expected shots, prompt"),
        ({"margin": 0.0}, "a margin lies between 0 and 1; got 0"),
        ({"margin": 1.0}, "a margin lies between 0 and 1"),
        ({"margin": float("nan")}, "a margin lies between 0 and 1"),
        ({"level": 0.4}, "a level lies between"),
    ],
)
def test_a_call_that_can_be_no_gate_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(GateError, match=words):
        gate_runs(make_run("new", "10"), make_run("old", "10"), **({"margin": 0.05} | options))


def test_a_reference_without_axes_gates_nothing() -> None:
    with pytest.raises(GateError, match="no axis to gate"):
        gate_runs(make_run("new", "10"), make_scored_run("old"), margin=0.05)


def test_a_run_is_not_held_against_itself() -> None:
    with pytest.raises(GateError, match="the candidate is the reference"):
        gate_runs(make_run("new", "10"), make_run("new", "10"), margin=0.05)


def test_a_loss_within_the_margin_is_named_as_one() -> None:
    axis = gate_one("0" * 6 + "1" * 294, "1" * 300, 0.05)
    assert axis.verdict == "pass"
    assert axis.is_worse
