"""Proof: why a number is what it is, whether its bytes are intact, and whether the model says it again."""

from benchproof.proof.figures import shorten, show_count, show_interval, show_level, show_value
from benchproof.proof.publication import OPEN_LICENSES, PublicationDecision, decide_publication
from benchproof.proof.trace import AnswerTrace, CandidateTrace, ChoiceTrace, ItemTrace, Spot, Verdict
from benchproof.proof.verification import MovedNumber, Rung, RunProof, SheetCheck, SheetState, Verification

__all__ = [
    "OPEN_LICENSES",
    "AnswerTrace",
    "CandidateTrace",
    "ChoiceTrace",
    "ItemTrace",
    "MovedNumber",
    "PublicationDecision",
    "RunProof",
    "Rung",
    "SheetCheck",
    "SheetState",
    "Spot",
    "Verdict",
    "Verification",
    "decide_publication",
    "shorten",
    "show_count",
    "show_interval",
    "show_level",
    "show_value",
]
