"""SQuAD scoring, checked on the official scripts' own values."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchproof.measure import MeasureError, exact_match_squad, normalise_squad, token_f1_squad


def read_vectors(shared: Path) -> dict[str, Any]:
    vectors: dict[str, Any] = json.loads((shared / "data/metric-vectors/squad.json").read_text())
    return vectors


def test_official_values_come_out_for_every_vector(shared: Path) -> None:
    for row in read_vectors(shared)["rows"]:
        prediction, golds = row["pred"], row["golds"]
        assert normalise_squad(prediction) == row["norm_pred"]
        assert exact_match_squad(prediction, golds) == row["em_v11"], row
        assert token_f1_squad(prediction, golds) == pytest.approx(row["f1_v11"], abs=1e-15), row
        assert exact_match_squad(prediction, golds, version="v2.0") == row["em_v20"], row
        assert token_f1_squad(prediction, golds, version="v2.0") == pytest.approx(row["f1_v20"], abs=1e-15), row


def test_official_averages_come_out(shared: Path) -> None:
    vectors = read_vectors(shared)
    rows = vectors["rows"]
    n = len(rows)
    one, two = vectors["aggregate_v11"], vectors["aggregate_v20"]
    assert 100 * sum(exact_match_squad(r["pred"], r["golds"]) for r in rows) / n == one["exact_match"]
    assert 100 * sum(token_f1_squad(r["pred"], r["golds"]) for r in rows) / n == pytest.approx(one["f1"])
    assert 100 * sum(exact_match_squad(r["pred"], r["golds"], version="v2.0") for r in rows) / n == two["exact"]
    assert 100 * sum(token_f1_squad(r["pred"], r["golds"], version="v2.0") for r in rows) / n == pytest.approx(
        two["f1"]
    )


def test_two_empty_sides_are_a_match_of_f1_nought_in_v11_and_one_in_v20() -> None:
    assert exact_match_squad("the", [""]) == exact_match_squad("the", [""], version="v2.0") == 1
    assert token_f1_squad("the", [""]) == 0.0
    assert token_f1_squad("the", [""], version="v2.0") == 1.0


def test_a_choice_letter_normalises_to_nothing() -> None:
    assert normalise_squad("A") == ""
    assert exact_match_squad("A", ["the"]) == 1


def test_a_question_without_answer_is_answered_by_silence_in_v20_only() -> None:
    assert exact_match_squad("", [], version="v2.0") == 1
    with pytest.raises(MeasureError, match="without a reference"):
        exact_match_squad("", [])


def test_one_text_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(MeasureError, match="list"):
        exact_match_squad("x", "xyz")


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(MeasureError, match=r"v1\.1 or v2\.0"):
        exact_match_squad("x", ["x"], version="v3")  # type: ignore[arg-type]


def test_articles_fall_only_as_whole_words() -> None:
    assert normalise_squad("A theatre an-d The answer") == "theatre and answer"
