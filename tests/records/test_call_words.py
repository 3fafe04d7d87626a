"""The catalogue of the words of raw lines is what models and harness state."""

import ast
from collections.abc import Iterator
from pathlib import Path

import benchproof
from benchproof.harness import calls, replay
from benchproof.harness.calls import ESCAPED
from benchproof.models.bos import DOUBLE_BOS
from benchproof.models.choices import PREFIX_TOKEN
from benchproof.models.generation import CONTEXT_FULL, INVALID_UTF8
from benchproof.models.likelihoods import FELL_BACK
from benchproof.records.call_words import load_call_errors, load_call_flags

PACKAGE = Path(benchproof.__file__).parent
OF_CHOICES = {DOUBLE_BOS, PREFIX_TOKEN, *FELL_BACK.values()}
OF_TEXTS = {DOUBLE_BOS, CONTEXT_FULL, INVALID_UTF8, ESCAPED}


def find_errors() -> Iterator[str]:
    """The first words of every ``CallFailure(…)`` in the package; names are constants of the harness."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "CallFailure":
                word = node.args[0]
                if isinstance(word, ast.Constant):
                    yield str(word.value)
                elif isinstance(word, ast.Name):
                    yield getattr(calls, word.id, None) or getattr(replay, word.id)


def test_the_catalogue_has_each_flag_that_a_call_can_carry_and_no_other() -> None:
    flags = load_call_flags()
    assert {flag.name for flag in flags if "loglikelihood" in flag.calls} == OF_CHOICES
    assert {flag.name for flag in flags if "generate" in flag.calls} == OF_TEXTS


def test_the_catalogue_has_each_error_that_a_call_can_end_with_and_no_other() -> None:
    assert {word.name for word in load_call_errors()} == set(find_errors())


def test_each_word_is_of_a_call_that_there_is() -> None:
    words = [*load_call_flags(), *load_call_errors()]
    assert {call for word in words for call in word.calls} == {"loglikelihood", "generate"}
