import io
import re
from contextlib import redirect_stdout
from typing import Any

import pytest

from benchproof.measure import mean_interval
from benchproof.results.catalogue import load_catalogue
from benchproof.rulebook import load_rules
from benchproof.scores.numbers import EXCLUDED
from docs.pages import DOCS, read_table

PAGE = DOCS / "explanation" / "error-bars.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = read_table(PAGE, "Which interval when")
CODE = re.findall(r"^```python\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)

PAIRS = [number // 2 for number in range(100)]
CASES = [
    ([1, 0, 1, 1, 0], [0, 1, 2, 3, 4]),
    ([1, 0, 1, 1, 0] * 20, PAIRS),
    ([1, 0, 1, 1, 0, 0, 1, 0] * 2, PAIRS[:16]),
    ([1, 1, 1, 1, 1, 1, 1, 0], [0, 0, 1, 1, 2, 2, 3, 3]),
    ([1, 0, 1, 0], [0, 0, 1, 1]),
    ([0.5, 0.5, 0.5, 0.5], [0, 0, 1, 1]),
    ([1, 0.9, 1, 0.2], [0, 1, 2, 3]),
    ([1, 0, 1], [0, 0, 0]),
]


def run_code(code: str) -> dict[str, Any]:
    """The names that the page's code leaves, and what it printed."""
    names: dict[str, Any] = {}
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "error-bars.md", "exec"), names)
    return {**names, "printed": printed.getvalue()}


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """The worked example, which is the first of the page."""
    return run_code(CODE[0])


@pytest.mark.parametrize("code", CODE, ids=["error bars", "items needed", "items of a gate"])
def test_an_example_prints_what_the_page_shows(code: str) -> None:
    assert f"{code}```\n\nIt prints:\n\n```text\n{run_code(code)['printed']}```" in TEXT


def test_the_step_by_hand_is_the_one_that_the_formula_takes(example: dict[str, Any]) -> None:
    answers, error = example["passages"]["ferry"], example["error"]
    items, right = len(answers), answers.count("1")
    residual, share = right - items * error.mean, items / error.n
    words = f"{items} items, {right} right, so R = {right} − {items} · {error.mean:.4f} = {residual:.4f}"
    assert words in TEXT
    assert f"{items}/{error.n} = {share:.4f}" in TEXT
    assert f"{residual:.4f}²/(1 − {share:.4f}) = {residual**2 / (1 - share):.4f}" in TEXT


@pytest.mark.parametrize(("row", "case"), list(zip(ROWS, CASES, strict=True)), ids=[row[0] for row in ROWS])
def test_the_method_of_a_row_is_what_such_data_get(row: list[str], case: tuple[list[float], list[int]]) -> None:
    interval = mean_interval(*case)
    shown = re.escape(_without_figures(row[2].strip("`"))).replace("…", ".*")
    assert re.fullmatch(shown, _without_figures(interval.method))
    assert (interval.bounds is None) == (row[1] == "none")


def _without_figures(method: str) -> str:
    return re.sub(r"\d+(\.\d+)?", "figure", method)


def test_the_reasons_of_a_denominator_are_those_of_the_sheets() -> None:
    reasons = [row[0].strip("`") for row in read_table(PAGE, "Denominators")]
    assert reasons == [*EXCLUDED, "unasked", "unscored"]


def test_the_flags_explained_are_flags_with_their_rules() -> None:
    rows = read_table(PAGE, "Flags")
    assert {row[0].strip("`") for row in rows} <= set(load_catalogue().flags)
    assert {row[1] for row in rows} == {code for code in load_rules() if code.startswith("S")} - {"S004"}
