import re

from benchproof.harness.batching_comparison import BOUND
from benchproof.models import BATCHING_METHODS
from benchproof.models.likelihoods import FELL_BACK
from benchproof.models.runtime import MAX_BRANCHES
from benchproof.results.catalogue import list_hard_keys
from benchproof.scores import list_scorers
from docs.pages import DOCS, read_table

PROOF = DOCS / "explanation" / "what-a-number-proves.md"


def test_the_hard_keys_explained_are_those_that_decide() -> None:
    hard = {key for scorer in list_scorers() for key in list_hard_keys(scorer["slug"], sealed=True)}
    section = "Why unlike numbers are never ranked together"
    assert {row[0].strip("`") for row in read_table(PROOF, section)} == hard


def test_decoding_is_hard_for_generated_answers_alone() -> None:
    deciding = {
        scorer["slug"] for scorer in list_scorers() if "decoding" in list_hard_keys(scorer["slug"], sealed=True)
    }
    assert {slug.partition(".")[0] for slug in deciding} == {"exact-match", "token-f1"}


def test_the_chance_that_a_sample_meets_no_invented_answer_is_right() -> None:
    text = PROOF.read_text(encoding="utf-8")
    stated = re.search(r"with (\d+) items, ([\d.]+) % for a tenth of the answers and ([\d.]+) % for three tenths", text)
    assert stated is not None
    asked = int(stated[1])
    assert (stated[2], stated[3]) == (f"{0.9**asked:.0%}".rstrip("%"), f"{0.7**asked * 100:.2f}")


def test_the_batching_methods_their_flags_and_limits_are_those_of_the_code() -> None:
    page = DOCS / "explanation" / "what-batching-changes.md"
    assert [row[0].strip("`") for row in read_table(page, "Three methods")] == list(BATCHING_METHODS)
    flags = {row[0].strip("`"): row[1] for row in read_table(page, "Which one is used")}
    assert set(flags) == set(FELL_BACK.values())
    assert f"More than {MAX_BRANCHES} candidates" in flags[FELL_BACK["exact"]]
    assert f"within {BOUND} nat of `exact`" in page.read_text(encoding="utf-8")
