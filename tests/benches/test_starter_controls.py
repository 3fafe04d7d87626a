"""The starter bench gives nothing away: what models that know nothing score on ``reading``, and their opposites.

The controls are the runtime's own, asked as a run asks them; the opposites are worked out here from the same requests.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from benchproof.archive import candidate_texts, render_prompt
from benchproof.harness import compile_bench, find_bench
from benchproof.measure import pick_first_max
from benchproof.models import CONTROL_NAMES, ChoiceRequest, ChoiceScores, open_model

BENCH = Path(__file__).resolve().parents[2] / "benches" / "starter"
LANGUAGES = ("en", "ms")
CHANCE = 15
language = pytest.mark.parametrize("language", LANGUAGES)
Asked = list[tuple[str, int, ChoiceRequest]]


@pytest.fixture(scope="module")
def asked() -> dict[str, Asked]:
    """By language: register, position of the right answer, and what a model is asked."""
    compiled = compile_bench(find_bench(str(BENCH)), axes=["reading"])
    questions: dict[str, Asked] = {}
    for axis_key, items in compiled.items.items():
        axis = compiled.axes[axis_key]
        questions[axis_key.removeprefix("reading.")] = [
            (
                str(item["register"]),
                item["answer_index"],
                ChoiceRequest(render_prompt(axis, item), tuple(text for _shown, text in candidate_texts(axis, item))),
            )
            for item in items
        ]
    return questions


def count_right(control: str, asked: Asked) -> Counter[str]:
    """How many a negative control gets right, by register; seed 0."""
    model = open_model(f"control:{control}", cache_dir=Path("not-used-by-controls"))
    right: Counter[str] = Counter()
    outcomes = model.score_choices([request for _register, _answer, request in asked])
    for (register, answer, _request), outcome in zip(asked, outcomes, strict=True):
        assert isinstance(outcome, ChoiceScores)
        picked, _tie = pick_first_max([sum(each.token_logprobs) for each in outcome.candidates])
        right[register] += picked == answer
    return right


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def shared_words(request: ChoiceRequest) -> list[Fraction]:
    context = words(request.context)
    return [Fraction(len(words(text) & context)) for text in request.continuations]


def shared_share(request: ChoiceRequest) -> list[Fraction]:
    counts = shared_words(request)
    return [count / len(words(text)) for count, text in zip(counts, request.continuations, strict=True)]


def lengths(request: ChoiceRequest) -> list[int]:
    return [len(text) for text in request.continuations]


def fair_points(asked: Asked, values: Callable[[ChoiceRequest], list[Fraction]], *, low: bool) -> Fraction:
    """Right answers of whoever picks the highest (or lowest) value; equals share the point."""

    def points() -> Iterator[Fraction]:
        for _register, answer, request in asked:
            found = values(request)
            best = min(found) if low else max(found)
            yield Fraction(found[answer] == best, found.count(best))

    return sum(points(), Fraction())


@language
@pytest.mark.parametrize("control", ["constant", "empty", "first"])
def test_a_fixed_position_scores_exactly_chance(asked: dict[str, Asked], language: str, control: str) -> None:
    right = count_right(control, asked[language])
    assert right.total() == CHANCE
    assert set(right.values()) == {CHANCE // 3}


@language
def test_the_longest_choice_scores_near_chance(asked: dict[str, Asked], language: str) -> None:
    assert 12 <= count_right("longest", asked[language]).total() <= 18


@language
def test_the_first_shortest_choice_scores_near_chance(asked: dict[str, Asked], language: str) -> None:
    found = [(answer, lengths(request)) for _register, answer, request in asked[language]]
    assert 12 <= sum(each.index(min(each)) == answer for answer, each in found) <= 18


@language
def test_repeating_words_of_the_passage_scores_near_chance(asked: dict[str, Asked], language: str) -> None:
    right = count_right("echo", asked[language])
    assert 10 <= right.total() <= 18
    assert max(right.values()) <= 8


@language
@pytest.mark.parametrize("values", [shared_words, shared_share])
@pytest.mark.parametrize("low", [False, True], ids=["most", "fewest"])
def test_neither_most_nor_fewest_words_of_the_passage_help(
    asked: dict[str, Asked], language: str, values: Callable[[ChoiceRequest], list[Fraction]], low: bool
) -> None:
    assert 8 <= fair_points(asked[language], values, low=low) <= 18


@language
def test_the_readme_states_what_each_control_scores(asked: dict[str, Asked], language: str) -> None:
    readme = (BENCH / "README.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in readme.splitlines() if "| `control:" in line]
    column = {"en": 2, "ms": 3}[language]
    stated = {row[0].strip("`").removeprefix("control:"): int(row[column]) for row in rows}
    assert stated == {control: count_right(control, asked[language]).total() for control in CONTROL_NAMES}
