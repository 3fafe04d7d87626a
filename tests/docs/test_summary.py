import json
from importlib.resources import files

import pytest

from benchproof.harness.summary import TRUNCATION_LIMIT
from docs.pages import DOCS, read_table

PAGE = DOCS / "reference" / "summary.md"
SCHEMA = json.loads((files("benchproof.records") / "schemas" / "run-summary.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("heading", "shape"), [("A language", "language"), ("An axis of it", "axis")])
def test_each_key_of_a_summary_is_explained_and_no_other(heading: str, shape: str) -> None:
    assert [row[0].strip("`") for row in read_table(PAGE, heading)] == list(SCHEMA["$defs"][shape]["properties"])


def test_the_limit_of_cut_answers_is_the_one_that_is_taken() -> None:
    assert f"more than {TRUNCATION_LIMIT * 100:g} % of the answers" in PAGE.read_text(encoding="utf-8")


def test_the_keys_at_the_top_are_named_before_the_tables() -> None:
    top = PAGE.read_text(encoding="utf-8").partition("\n## ")[0]
    assert [key for key in SCHEMA["properties"] if key.partition("_id")[0].partition("_meta")[0] not in top] == []
