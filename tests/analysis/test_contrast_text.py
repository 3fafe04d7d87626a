import json
from dataclasses import replace

from analysis.samples import make_items, make_pair, make_scored_axis, make_scored_run
from benchproof.analysis import Contrast, contrast_runs, describe_contrast, explain_contrasts, render_contrast
from benchproof.results import measure_width


def make_starter_contrast() -> Contrast:
    control = {"model_variant": "other", "quantization": "none"}
    return contrast_runs(
        make_scored_run(
            "smollm2",
            reading__en=make_scored_axis("1111011101" * 4, cluster_size=2),
            reading__ms=make_scored_axis("1100110011" * 2, tag="zicyw4m2xq7d"),
        ),
        make_scored_run(
            "control:longest",
            reading__en=make_scored_axis("0011000100" * 4, tag="q3ma77ckd2ve", setting=control, cluster_size=2),
            reading__ms=make_scored_axis("1100100x11" * 2, tag="q3mab22cd2ve", setting=control),
        ),
    )


EXPECTED = """\
confounded by: model_variant (instruct → other), quantization (F16 from Q4_1 → none; soft)
A  smollm2          starter.smollm2.20261130T212541Z.7f3a          sealed 2026-11-30
B  control:longest  starter.control:longest.20261130T212541Z.7f3a  sealed 2026-11-30  synthetic

axis             A       B  A − B            95 %        p  only A  only B  pairs  clusters  tags
reading.en  80.0 %  30.0 %  +50.0  +34.8 to +65.2  < 0.001      20       0  40/40        20  zicy3hzb3wmv..q3ma77ckd2ve
reading.ms  66.7 %  55.6 %  +11.1   −5.0 to +27.2    0.500       2       0  18/20        18  zicyw4m2xq7d..q3mab22cd2ve
A is higher: reading.en.
No difference shown; equality within ±1.0 points not shown either (TOST): reading.ms.
What these items could show, with a chance of 80 %: reading.ms 23.5 points (1.0 points would take
  about 9,940 items).
In no pair: reading.ms 2 not scored in B.
intervals: 95 %, CR2 t(19) (reading.en); CR2 t(17) (reading.ms).
flags: low_ci on every difference.
A − B: mean paired difference in points. only A, only B: items right in that run alone (--flips).
p: cluster sign-flip test (all patterns), Holm over 2 comparisons.
low_ci: half-width > 5 points or fewer than 10 clusters
"""


def test_a_contrast_is_printed_with_what_differs_first() -> None:
    assert render_contrast(make_starter_contrast()) == EXPECTED


def test_a_clean_contrast_says_so_first() -> None:
    assert render_contrast(contrast_runs(*make_pair("10", "01"))).startswith("clean: only the model differs\n")


def test_two_runs_of_one_model_differ_in_nothing() -> None:
    left, right = make_pair("10", "01")
    again = replace(right, side=replace(right.side, model_id=left.side.model_id))
    assert render_contrast(contrast_runs(left, again)).startswith("clean: nothing differs\n")


def test_a_key_that_differs_on_one_axis_alone_is_named_with_it() -> None:
    left = make_scored_run("alpha", a__en=make_scored_axis("10"), b__ms=make_scored_axis("10"))
    right = make_scored_run(
        "beta", a__en=make_scored_axis("10"), b__ms=make_scored_axis("10", setting={"prompt": "custom:2"})
    )
    head = render_contrast(contrast_runs(left, right)).splitlines()[0]
    assert head.startswith("confounded by: prompt in b.ms (custom:1d1f00c0ffee → custom:2)")


def test_flips_are_listed_on_request_with_their_texts() -> None:
    contrast = contrast_runs(*make_pair("1100", "1010"))
    assert "flips of" not in render_contrast(contrast)
    text = render_contrast(contrast, flips=True)
    assert "flips of reading.en: 2 (McNemar exact p 1.000, clusters ignored)\n" in text
    assert "\n  en/q01  right in A alone\n  en/q02  right in B alone\n" in text


def test_an_axis_that_nothing_can_be_said_of_says_so() -> None:
    text = render_contrast(contrast_runs(*make_pair("xx", "10")))
    assert "Cannot tell, no item was scored in both runs: reading.en.\n" in text
    assert "In no pair: reading.en 2 not scored in A.\n" in text


def test_runs_that_answer_alike_say_why_there_is_no_interval() -> None:
    text = render_contrast(contrast_runs(*make_pair("1100", "1100")))
    assert "equality within ±1.0 points cannot be tested (all differences equal): reading.en." in " ".join(text.split())
    assert "intervals: 95 %, no interval: all differences equal." in text


def test_one_cluster_is_not_said_to_show_no_spread() -> None:
    one = [make_scored_axis(outcomes, cluster_size=4) for outcomes in ("1100", "1010")]
    text = render_contrast(contrast_runs(make_scored_run("a", r__en=one[0]), make_scored_run("b", r__en=one[1])))
    told = " ".join(text.split())
    assert "cannot be tested (one cluster: no spread between clusters can be estimated): r.en." in told
    assert "degenerate" not in text


def test_several_contrasts_are_explained_once() -> None:
    contrast = make_starter_contrast()
    assert "low_ci:" not in render_contrast(contrast, legend=False)
    explained = explain_contrasts([contrast, contrast])
    assert [line.partition(":")[0] for line in explained.splitlines()] == ["A − B", "p", "low_ci"]


def test_a_narrow_terminal_gets_the_last_columns_beneath() -> None:
    lines = render_contrast(make_starter_contrast(), width=80).splitlines()
    assert max(map(measure_width, lines)) <= 80
    assert "reading.en  40/40        20  zicy3hzb3wmv..q3ma77ckd2ve" in lines


def test_equality_that_is_shown_is_said_with_its_margin() -> None:
    text = render_contrast(contrast_runs(*make_pair("10" * 50, "10" * 49 + "01"), margin=0.05))
    assert "No difference shown; equality within ±5.0 points shown (TOST): reading.en." in text


def test_a_metric_without_a_tolerance_needs_a_margin_for_equality() -> None:
    text = render_contrast(contrast_runs(*make_pair("1100", "1010", standing={"metric": "vibes"})))
    assert "No difference shown; equality not tested, no margin given" in text


def test_many_clusters_have_their_sign_patterns_drawn() -> None:
    text = render_contrast(contrast_runs(*make_pair("10" * 20, "01" * 20), seed=7))
    assert "p: cluster sign-flip test (10,000 patterns drawn with seed 7)." in text


def test_scores_that_are_not_right_or_wrong_have_no_flips_to_list() -> None:
    halves = [replace(item, score=0.5) for item in make_items("10")]
    left = make_scored_run("alpha", reading__en=make_scored_axis(halves))
    right = make_scored_run("beta", reading__en=make_scored_axis("10"))
    text = render_contrast(contrast_runs(left, right), flips=True)
    assert "flips of reading.en: none listed, scores are not right or wrong" in text


def test_apart_axes_are_named_beneath() -> None:
    left = make_scored_run("alpha", a__en=make_scored_axis("10"), b__en=make_scored_axis("10"))
    right = make_scored_run(
        "beta", a__en=make_scored_axis("01"), b__en=make_scored_axis("10", standing={"metric": "choice-accuracy.none"})
    )
    text = render_contrast(contrast_runs(left, right))
    assert "Not contrasted: b.en: metric choice-accuracy.byte against choice-accuracy.none.\n" in text


def test_what_is_left_out_is_named() -> None:
    left = make_scored_run("alpha", reading__en=make_scored_axis("10"), facts__en=make_scored_axis("10"))
    right = make_scored_run("beta", reading__en=make_scored_axis("01"), reading__ms=make_scored_axis("10"))
    text = render_contrast(contrast_runs(left, right))
    assert "Only in A: facts.en.\nOnly in B: reading.ms.\n" in text


def test_a_contrast_is_plain_data_whole() -> None:
    described = json.loads(json.dumps(describe_contrast(make_starter_contrast())))
    assert described["headline"].startswith("confounded by: model_variant (instruct → other)")
    axis = described["axes"][0]
    assert (axis["tag"], axis["n"], axis["significant"]) == ("zicy3hzb3wmv..q3ma77ckd2ve", 40, True)
    assert axis["test"]["patterns"] > 0
    assert len(axis["flips"]) == axis["n"] - sum(
        a.score == b.score for a, b in zip(make_items("1111011101" * 4), make_items("0011000100" * 4), strict=True)
    )


def test_what_the_items_could_show_stands_where_nothing_is_shown() -> None:
    """Clause: power and minimum detectable effect behind "cannot tell"."""
    nothing = render_contrast(contrast_runs(*make_pair("1101", "1011")))
    assert "What these items could show, with a chance of 80 %: reading.en 1" in nothing
    assert "What these items could show" not in render_contrast(contrast_runs(*make_pair("1" * 12, "0" * 12)))
    equal = contrast_runs(*make_pair("10" * 50, "10" * 49 + "01"), margin=0.05)
    assert "What these items could show" not in render_contrast(equal)
