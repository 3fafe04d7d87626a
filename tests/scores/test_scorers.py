"""The named scorers and the scores of single items."""

import re
from importlib import resources

import pytest

from benchproof.scores import EvidenceError, ScoresError, find_scorer, list_scorers, score_items
from benchproof.scores import scorers as scorers_module
from benchproof.scores.scorers import SCORERS
from scores.evidence_samples import MemoryRun, make_axis, make_choice_record, make_item, make_reading_run


def test_scorers_are_listed_by_slug_with_a_digest_of_their_source() -> None:
    listed = list_scorers()
    slugs = [scorer["slug"] for scorer in listed]
    assert slugs == sorted(slugs)
    assert {
        "choice-accuracy.byte",
        "choice-accuracy.none",
        "choice-accuracy.token",
        "exact-match.squad-v1.1",
        "exact-match.squad-v2.0",
        "token-f1.squad-v1.1",
    } <= set(slugs)
    assert all(len(scorer["digest"]) == 64 for scorer in listed)


def test_scorers_that_stand_on_the_same_files_share_a_digest_and_others_do_not() -> None:
    digests = {scorer["slug"]: scorer["digest"] for scorer in list_scorers()}
    assert digests["choice-accuracy.byte"] == digests["choice-accuracy.none"]
    assert digests["choice-accuracy.byte"] != digests["exact-match.squad-v1.1"]


def test_every_file_of_scoring_and_measuring_that_a_number_needs_is_in_a_digest() -> None:
    """A number must not change while its scorer's digest stays: what the listed files import is listed too."""
    package = resources.files("benchproof")
    listed = {path for scorer in SCORERS.values() for path in scorer.sources} | set(scorers_module._SHARED_SOURCES)
    unscored = {"errors.py", "evidence.py", "tags.py", "__init__.py"}
    for path in sorted(listed):
        text = package.joinpath(path).read_text()
        for room, module in re.findall(r"^from benchproof\.(measure|scores)\.(\w+) import", text, re.MULTILINE):
            assert f"{module}.py" in unscored or f"{room}/{module}.py" in listed, (path, module)


def test_an_unknown_scorer_is_refused_with_the_nearest() -> None:
    with pytest.raises(ScoresError, match=r"choice-accuracy\.byte"):
        find_scorer("choice-accuracy.bytes")


@pytest.mark.parametrize(
    ("metric", "chosen"),
    [("none", 0), ("byte", 0), ("token", 0), ("char@lm-eval", 1), ("byte@lm-eval", 1)],
)
def test_a_choice_scorer_recomputes_the_choice_under_its_own_rule(metric: str, chosen: int) -> None:
    item = make_item("en", "q", choices=("a", "bbbb"), answer_index=chosen)
    record = make_choice_record(item, [-1.0, -3.0])
    assert find_scorer(f"choice-accuracy.{metric}").score_item(item, record).score == 1.0


def test_item_scores_tell_outcome_cluster_and_register() -> None:
    scores = score_items(make_reading_run([1, 2], 2), "reading.en")
    assert [(score.item_id, score.score, score.outcome, score.cluster, score.register) for score in scores] == [
        ("en/p00-q0", 1.0, "scored", "passage:p00", "high"),
        ("en/p00-q1", 0.0, "scored", "passage:p00", "high"),
        ("en/p01-q0", 1.0, "scored", "passage:p01", "mid"),
        ("en/p01-q1", 1.0, "scored", "passage:p01", "mid"),
    ]
    assert {score.choices for score in scores} == {4}


def test_items_can_be_scored_under_another_metric_than_the_axis_names() -> None:
    item = make_item("en", "q", choices=("a", "bbbb"), answer_index=1)
    run = MemoryRun().add(
        make_axis("reading", "en", "choice", "choice-accuracy.byte"), [(item, make_choice_record(item, [-1.0, -3.0]))]
    )
    assert score_items(run, "reading.en")[0].score == 0.0
    assert score_items(run, "reading.en", metric="choice-accuracy.char@lm-eval")[0].score == 1.0


def test_an_unknown_axis_key_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(EvidenceError, match=r"reading\.en"):
        score_items(make_reading_run([1], 1), "reading.ms")


def test_item_scores_and_the_sheet_share_their_clusters_over_languages() -> None:
    run = make_reading_run([1, 1], 1)
    other = make_reading_run([1, 1], 1, language="ms")
    for item in other.planned["reading.ms"]:
        item["overlap_group_ids"] = ["joined"]
    run.axes |= other.axes
    run.planned |= other.planned
    run.answered |= other.answered
    assert {score.cluster for score in score_items(run, "reading.en")} == {"group:joined"}
