"""The ladder of proof on a page: five steps, each done, failed, not done, or not meant for a measured run."""

from dataclasses import dataclass
from typing import Literal

from benchproof.proof import RunProof
from benchproof.results import count_things

StepState = Literal["done", "failed", "open", "unused"]


@dataclass(frozen=True, slots=True)
class Step:
    """One rung: its name, whether it was reached, and a sentence on what that rests on."""

    name: str
    state: StepState
    word: str
    note: str


def build_ladder(proof: RunProof, compared_with: int) -> tuple[Step, ...]:
    """The five steps for a run of our own; nothing above ``recomputed`` is claimed from one archive."""
    return (
        Step("printed", "unused", "not used", "A citation’s step. This run was measured, not quoted."),
        _describe_intact(proof, compared_with),
        _describe_recomputed(proof),
        Step("re-asked", "open", "not done", "Nobody asked the model again. benchproof rerun does, for a sample."),
        Step("replicated", "open", "not yet", "Needs an independent source with a run of its own."),
    )


def _describe_intact(proof: RunProof, compared_with: int) -> Step:
    if proof.rung == "not checked":
        return Step("intact", "failed", "cannot tell", "Some files could not be read.")
    if proof.rung == "broken":
        note = f"{count_things(len(proof.findings), 'finding')}: the files are not what was sealed."
        return Step("intact", "failed", "no", note)
    against = f"and with {count_things(compared_with, 'outside reference')}" if compared_with else "and nothing outside"
    return Step(
        "intact", "done", "yes", f"{count_things(proof.files, 'file')} compared with this run’s manifest {against}."
    )


def _describe_recomputed(proof: RunProof) -> Step:
    records, numbers = count_things(proof.records_recomputed, "record"), count_things(proof.numbers, "number")
    found = f"{records} of {proof.records:,}, {numbers}"
    if proof.rung == "recomputed":
        return Step("recomputed", "done", "yes", f"{found} follow from the recorded answers.")
    if proof.rung == "intact" and not proof.records:
        return Step("recomputed", "unused", "nothing", "The run has no records that numbers could follow from.")
    if proof.rung in ("broken", "not checked"):
        return Step("recomputed", "failed", "no", "Not counted: the files are not known to be intact.")
    return Step("recomputed", "failed", "no", f"Only {found} follow from the recorded answers.")
