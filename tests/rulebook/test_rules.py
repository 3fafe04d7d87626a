import importlib
import re

import pytest

from benchproof.rulebook import RulebookError, Severity, find_rule, load_rules
from benchproof.rulebook.rules import parse_rules

ROW = '[{code}]\ntitle = "t"\nseverity = "{severity}"\nsource = "s"\nhome = "m:f"\n'


def test_every_row_is_complete() -> None:
    for rule in load_rules().values():
        assert re.fullmatch(r"[ABIJKS][0-9]{3}", rule.code)
        assert rule.title
        assert not rule.title.endswith(".")
        assert rule.source
        assert isinstance(rule.severity, Severity)


def test_rows_are_sorted_by_code() -> None:
    codes = list(load_rules())
    assert codes == sorted(codes)


def test_every_home_is_a_function_that_exists_and_is_named_by_the_code() -> None:
    for rule in load_rules().values():
        module, _, function = rule.home.partition(":")
        assert callable(getattr(importlib.import_module(module), function)), rule.home
        assert function.startswith(f"{rule.code.lower()}_"), rule.home


def test_a_rule_is_found_in_any_letter_case() -> None:
    assert find_rule(" j005 ") is load_rules()["J005"]


def test_an_unknown_code_names_the_nearest() -> None:
    with pytest.raises(RulebookError, match=r"got 'J05'; expected one like J005"):
        find_rule("J05")


def test_a_code_that_is_like_no_other_says_what_a_code_looks_like() -> None:
    with pytest.raises(RulebookError, match="a letter and three digits"):
        find_rule("duplicate key")


def test_two_rows_of_one_code_are_refused() -> None:
    with pytest.raises(RulebookError, match="not TOML"):
        parse_rules(ROW.format(code="A001", severity="error") * 2)


def test_a_row_with_a_field_missing_is_refused_by_its_code() -> None:
    with pytest.raises(RulebookError, match="A007: a rule's row is not complete; got title; expected the texts title,"):
        parse_rules('[A007]\ntitle = "t"\n')


def test_a_row_of_an_unknown_severity_is_refused() -> None:
    with pytest.raises(RulebookError, match="got fatal; expected error, warning, note"):
        parse_rules(ROW.format(code="A001", severity="fatal"))
