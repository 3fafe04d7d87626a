"""Each rule of benches has one bad example, in a folder named by its code."""

from pathlib import Path

import pytest

from benchproof.harness import BenchError, compile_bench
from benchproof.harness.compiling import read_bench
from benchproof.rulebook import Severity, load_rules

BAD = Path(__file__).resolve().parent.parent / "conformance" / "bad"
RULES = {code: rule for code, rule in load_rules().items() if code.startswith("B")}
ERRORS = sorted(code for code, rule in RULES.items() if rule.severity is Severity.ERROR)


def test_every_rule_of_benches_has_a_bad_example() -> None:
    folders = {folder.name for folder in BAD.iterdir() if folder.name.startswith("B")}
    assert folders == set(RULES)


@pytest.mark.parametrize("code", ERRORS)
def test_a_bad_bench_breaks_its_rule_and_no_other(code: str) -> None:
    reading = read_bench(BAD / code)
    assert {finding.code for finding in reading.findings} == {code}


@pytest.mark.parametrize("code", ERRORS)
def test_a_bad_bench_is_refused_before_any_model_call_with_file_and_code(code: str) -> None:
    with pytest.raises(BenchError) as caught:
        compile_bench(BAD / code)
    assert code in str(caught.value)
    assert all(str(BAD / code) in finding.place for finding in caught.value.findings)
