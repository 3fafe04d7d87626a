"""The catalogue of what can be odd about a call is what models and harness state."""

from benchproof.harness.calls import ESCAPED
from benchproof.models.bos import DOUBLE_BOS
from benchproof.models.choices import PREFIX_TOKEN
from benchproof.models.generation import CONTEXT_FULL, INVALID_UTF8
from benchproof.models.likelihoods import FELL_BACK
from benchproof.records.call_flags import load_call_flags

OF_CHOICES = {DOUBLE_BOS, PREFIX_TOKEN, *FELL_BACK.values()}
OF_TEXTS = {DOUBLE_BOS, CONTEXT_FULL, INVALID_UTF8, ESCAPED}


def test_the_catalogue_has_each_flag_that_a_call_can_carry_and_no_other() -> None:
    flags = load_call_flags()
    assert {flag.name for flag in flags if "loglikelihood" in flag.calls} == OF_CHOICES
    assert {flag.name for flag in flags if "generate" in flag.calls} == OF_TEXTS
    assert {call for flag in flags for call in flag.calls} == {"loglikelihood", "generate"}
