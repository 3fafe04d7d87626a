import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.samples import make_items, make_pair, make_scored_axis, make_scored_run
from benchproof.analysis import AxisContrast, ContrastError, contrast_runs
from benchproof.measure import Design, detectable_difference, holm, items_needed, mcnemar_exact
from benchproof.results import KeyDifference


def contrast_one(
    outcomes_a: str, outcomes_b: str, *, margin: float | None = None, cluster_size: int = 1
) -> AxisContrast:
    (axis,) = contrast_runs(*make_pair(outcomes_a, outcomes_b, cluster_size=cluster_size), margin=margin).axes
    return axis


def test_a_difference_is_a_minus_b_over_the_pairs() -> None:
    axis = contrast_one("1110", "1000")
    assert (axis.mean_a, axis.mean_b, axis.difference, axis.n) == (0.75, 0.25, 0.5, 4)


def test_a_contrast_is_named_by_its_two_tags() -> None:
    assert contrast_one("10", "01").tag == "zicy3hzb3wmv..q3ma77ckd2ve"


def test_only_items_scored_in_both_count() -> None:
    axis = contrast_one("11x0", "10x")
    assert (axis.n, axis.planned_a, axis.planned_b, axis.unpaired.count()) == (2, 4, 3, 2)


def test_nothing_in_common_to_score_gives_no_figures() -> None:
    axis = contrast_one("xx", "10")
    assert (axis.n, axis.difference, axis.interval, axis.test, axis.p_holm) == (0, None, None, None, None)
    assert not axis.is_significant


def test_the_interval_below_forty_clusters_is_cr2_with_cr1_beside_it() -> None:
    axis = contrast_one("1101011010", "0101001010", cluster_size=2)
    assert axis.method.startswith("CR2, t(")
    assert axis.also[0]["method"].startswith("CR1, t(4")


def test_the_interval_from_forty_clusters_is_cr1() -> None:
    axis = contrast_one("1101" * 20, "0101" * 20, cluster_size=2)
    assert axis.method == "CR1, t(39)"


def test_fewer_than_ten_clusters_are_flagged_and_all_sign_patterns_are_tried() -> None:
    """Clause: "G < 10 flagged and differences get the exact cluster sign-flip"."""
    axis = contrast_one("111111", "000011", cluster_size=2)
    assert "few_clusters" in axis.flags
    assert axis.test is not None
    assert (axis.test.exact, axis.test.p) == (True, 0.5)


def test_equal_answers_give_p_one_and_no_interval_of_zero_width() -> None:
    axis = contrast_one("1100", "1100")
    assert axis.test is not None
    assert (axis.test.p, axis.interval, axis.mcnemar_p, axis.cohen_dz) == (1.0, None, 1.0, None)


def test_flips_are_the_items_that_one_run_alone_has_right() -> None:
    axis = contrast_one("1100", "1010")
    assert axis.flips is not None
    assert [(flip.item_id, flip.right_in) for flip in axis.flips] == [("en/q01", "A"), ("en/q02", "B")]


def test_mcnemar_counts_the_flips() -> None:
    assert contrast_one("1111100", "0000010").mcnemar_p == mcnemar_exact(5, 1)


def test_scores_between_zero_and_one_have_no_flips_and_no_mcnemar() -> None:
    items = make_items("1010")
    partly = [replace(item, score=0.5) for item in items]
    left = make_scored_run("alpha", reading__en=make_scored_axis(items))
    right = make_scored_run("beta", reading__en=make_scored_axis(partly))
    (axis,) = contrast_runs(left, right).axes
    assert (axis.flips, axis.mcnemar_p) == (None, None)


def test_equivalence_is_tested_against_the_metrics_tolerance_unless_a_margin_is_given() -> None:
    assert contrast_one("1100", "1010").equivalence is not None
    assert contrast_one("1100", "1010").equivalence.margin == 0.01  # type: ignore[union-attr]
    assert contrast_one("1100", "1010", margin=0.3).equivalence.margin == 0.3  # type: ignore[union-attr]


def test_runs_that_agree_almost_everywhere_are_shown_equal_within_a_wide_margin() -> None:
    outcomes_a, outcomes_b = "10" * 50, "10" * 49 + "01"
    axis = contrast_one(outcomes_a, outcomes_b, margin=0.05)
    assert axis.equivalence is not None
    assert axis.equivalence.equivalent is True
    assert not axis.is_significant


def test_few_items_show_neither_a_difference_nor_equality() -> None:
    axis = contrast_one("1101", "1011")
    assert axis.equivalence is not None
    assert (axis.is_significant, axis.equivalence.equivalent) == (False, False)


def test_holm_goes_over_all_axes_of_the_contrast() -> None:
    """Clause: "the family is one printed table"."""
    strong, weak, none = ("1" * 12, "0" * 12), ("1" * 6 + "0" * 6, "1" + "0" * 11), ("10" * 6, "01" * 6)
    left = make_scored_run(
        "alpha", **{f"a{n}__en": make_scored_axis(a) for n, (a, _) in enumerate((strong, weak, none))}
    )
    right = make_scored_run(
        "beta", **{f"a{n}__en": make_scored_axis(b) for n, (_, b) in enumerate((strong, weak, none))}
    )
    axes = contrast_runs(left, right).axes
    assert [axis.p_holm for axis in axes] == holm([axis.test.p for axis in axes if axis.test])
    assert axes[0].p_holm == pytest.approx(3 * 2 / 2**12)


def test_an_axis_without_pairs_is_no_member_of_the_family() -> None:
    left = make_scored_run("alpha", a__en=make_scored_axis("1" * 12), b__en=make_scored_axis("xxx"))
    right = make_scored_run("beta", a__en=make_scored_axis("0" * 12), b__en=make_scored_axis("111"))
    first, second = contrast_runs(left, right).axes
    assert first.p_holm == pytest.approx(2 / 2**12)
    assert second.p_holm is None


def test_only_the_model_differs() -> None:
    contrast = contrast_runs(*make_pair("10", "01"))
    assert contrast.is_clean
    assert not contrast.is_same_model


def test_every_key_that_differs_is_listed_with_its_axis() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"))
    right = make_scored_run("beta", reading__en=make_scored_axis("01", setting={"shots": 5, "quantization": "Q4_K_M"}))
    (axis,) = contrast_runs(left, right).axes
    assert axis.differences == (
        KeyDifference("shots", "0", "5", hard=True),
        KeyDifference("quantization", "F16 from Q4_1", "Q4_K_M", hard=False),
    )


def test_drafts_of_two_digests_are_contrasted_and_confounded() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"))
    right = make_scored_run("beta", reading__en=make_scored_axis("01", standing={"draft_digest": "c" * 64}))
    assert [d.key for d in contrast_runs(left, right).axes[0].differences] == ["bench_digest"]


def test_axes_of_one_run_alone_are_named() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"), facts__en=make_scored_axis("10"))
    right = make_scored_run("beta", reading__en=make_scored_axis("01"), reading__ms=make_scored_axis("10"))
    contrast = contrast_runs(left, right)
    assert (contrast.only_a, contrast.only_b) == (("facts.en",), ("reading.ms",))


def test_no_common_axis_is_an_error_that_names_both_sides() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"))
    right = make_scored_run("beta", facts__en=make_scored_axis("01"))
    with pytest.raises(ContrastError, match=r"no axis in common; got reading\.en and facts\.en"):
        contrast_runs(left, right)


def test_other_benchmark_versions_are_an_error_that_names_both() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"))
    right = make_scored_run("beta", reading__en=make_scored_axis("01", standing={"benchmark": "starter/reading@0.2"}))
    with pytest.raises(ContrastError, match=r"benchmark starter/reading@0\.1 against starter/reading@0\.2"):
        contrast_runs(left, right)


def test_another_metric_is_an_error_that_names_both() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"))
    right = make_scored_run("beta", reading__en=make_scored_axis("01", standing={"metric": "choice-accuracy.none"}))
    with pytest.raises(ContrastError, match=r"metric choice-accuracy\.byte against choice-accuracy\.none"):
        contrast_runs(left, right)


def test_axes_that_measure_different_things_are_named_beside_those_that_do_not() -> None:
    left = make_scored_run("alpha", a__en=make_scored_axis("10"), b__en=make_scored_axis("10"))
    right = make_scored_run(
        "beta", a__en=make_scored_axis("10"), b__en=make_scored_axis("10", standing={"metric": "choice-accuracy.none"})
    )
    contrast = contrast_runs(left, right)
    assert [axis.axis_key for axis in contrast.axes] == ["a.en"]
    assert contrast.apart == ("b.en: metric choice-accuracy.byte against choice-accuracy.none",)


def test_a_run_is_not_contrasted_with_itself() -> None:
    left, _ = make_pair("10", "01")
    with pytest.raises(ContrastError, match="both handles name the same run"):
        contrast_runs(left, left)


@pytest.mark.parametrize(
    ("margin", "level"), [(0.0, 0.95), (-0.1, 0.95), (float("nan"), 0.95), (None, 1.0), (None, 0.2)]
)
def test_a_margin_or_level_out_of_range_is_refused(margin: float | None, level: float) -> None:
    with pytest.raises(ContrastError):
        contrast_runs(*make_pair("10", "01"), margin=margin, level=level)


outcomes = st.text(alphabet="01", min_size=2, max_size=16)


@given(st.integers(2, 16).flatmap(lambda n: st.tuples(*[st.text("01", min_size=n, max_size=n)] * 2)))
def test_swapping_the_runs_turns_the_difference_round(texts: tuple[str, str]) -> None:
    one, other = contrast_one(*texts, cluster_size=2), contrast_one(*reversed(texts), cluster_size=2)
    assert one.difference == -other.difference  # type: ignore[operator]
    assert one.test == other.test
    assert one.mcnemar_p == other.mcnemar_p
    if one.interval is not None and other.interval is not None:
        assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))


@given(st.integers(2, 16).flatmap(lambda n: st.tuples(*[st.text("01", min_size=n, max_size=n)] * 2)))
def test_no_p_value_is_ever_zero(texts: tuple[str, str]) -> None:
    """Clause: "p never 0"."""
    axis = contrast_one(*texts)
    assert axis.test is not None
    assert 0 < axis.test.p <= (axis.p_holm or 0) <= 1


def test_what_could_be_shown_is_by_the_formula_with_the_spread_of_the_pairs() -> None:
    axis = contrast_one("1101011010" * 4, "0101001010" * 4, margin=0.05)
    assert axis.sensitivity is not None
    design = Design(axis.sensitivity.variance, deff=axis.sensitivity.deff)
    assert axis.sensitivity.difference == detectable_difference(40, design)
    assert axis.sensitivity.items == math.ceil(items_needed(0.05, design))


def test_what_could_be_shown_knows_clusters_and_the_family() -> None:
    candidate, reference = "1111111100000000" * 4, "0000000011111111" * 2 + "1111111100000000" * 2
    alone, shared = (contrast_one(candidate, reference, cluster_size=size).sensitivity for size in (1, 8))
    assert alone is not None
    assert shared is not None
    assert alone.difference < shared.difference
    axes = {f"a{number}__en": make_scored_axis(candidate) for number in range(4)}
    others = {f"a{number}__en": make_scored_axis(reference) for number in range(4)}
    several = contrast_runs(make_scored_run("alpha", **axes), make_scored_run("beta", **others)).axes[0].sensitivity
    assert several is not None
    assert several.difference == detectable_difference(64, Design(several.variance, deff=several.deff), level=0.9875)


def test_equal_answers_tell_nothing_of_what_could_be_shown() -> None:
    assert contrast_one("1100", "1100").sensitivity is None
