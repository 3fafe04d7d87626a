"""The ladder of proof on a page: five steps, each done, failed, not done, or not meant for a measured run."""

from dataclasses import dataclass
from typing import Literal

from benchproof.proof import RunProof

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
        Step("re-asked", "open", "not done", "Nobody asked the model again. The command below does, for a sample."),
        Step("replicated", "open", "not claimed", "Needs an independent source with a run of its own."),
    )


def _describe_intact(proof: RunProof, compared_with: int) -> Step:
    if proof.rung == "not intact":
        note = f"{count_noun(len(proof.findings), 'finding')}: the files are not what was sealed."
        return Step("intact", "failed", "no", note)
    against = f"and with {count_noun(compared_with, 'outside reference')}" if compared_with else "and nothing outside"
    return Step(
        "intact", "done", "yes", f"{count_noun(proof.files, 'file')} compared with this run’s manifest {against}."
    )


def _describe_recomputed(proof: RunProof) -> Step:
    found = (
        f"{count_noun(proof.records_recomputed, 'record')} of {proof.records:,}, {count_noun(proof.numbers, 'number')}"
    )
    if proof.rung == "recomputed":
        return Step("recomputed", "done", "yes", f"{found} follow from the recorded answers.")
    if proof.rung == "not intact":
        return Step("recomputed", "failed", "no", "Not counted: the files are not intact.")
    return Step("recomputed", "failed", "no", f"Only {found} follow from the recorded answers.")


def count_noun(count: int, noun: str) -> str:
    """A count with its noun: ``1 file``, ``11 files``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
