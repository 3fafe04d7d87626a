"""Proof: why a number is what it is, whether its bytes are intact, and whether the model says it again."""

from benchproof.proof.data import describe
from benchproof.proof.errors import (
    ContainerError,
    ContainerUnreadableError,
    ExpectFileError,
    GateReferenceError,
    NotIntactError,
    NotReadableError,
    OtherModelError,
    ProofError,
    UnknownItemError,
)
from benchproof.proof.expectations import compare_manifest, read_expect, write_expect
from benchproof.proof.explanation import ContrastExplanation, Explanation, Link, NumberExplanation
from benchproof.proof.figures import shorten, show_count, show_range
from benchproof.proof.gate_reference import (
    GateReference,
    read_gate_reference,
    require_reference,
    write_gate_reference,
)
from benchproof.proof.items import find_item, trace_item, trace_items
from benchproof.proof.pack import pack_proof, read_verifier
from benchproof.proof.pack_contents import PackedFile, ProofContents, RunContents
from benchproof.proof.pack_reading import PackedProof, opened_intact_proof, opened_proof
from benchproof.proof.pack_text import list_left_out, list_not_shown, list_shown, list_steps, list_terms
from benchproof.proof.packed_text import render_packed_verification
from benchproof.proof.publication import OPEN_LICENSES, PublicationDecision, decide_files, decide_publication
from benchproof.proof.rerun import draw_items, rerun
from benchproof.proof.rerun_text import render_rerun
from benchproof.proof.reruns import AxisRerun, ItemRerun, Rerun, Tolerance
from benchproof.proof.shelf import ArchiveShelf, Shelf, restrict_to_here
from benchproof.proof.trace import AnswerTrace, CandidateTrace, ChoiceTrace, ItemTrace, Spot, Verdict
from benchproof.proof.verification import Rung, RunProof, SheetCheck, SheetState, Verification
from benchproof.proof.verify import ProvenRun, SoundRun, proof_rung, prove_run, require_sound, verify_paths
from benchproof.proof.verify_packed import PackedVerification, verify_proof
from benchproof.proof.verify_text import render_verification, write_finding
from benchproof.proof.why import explain
from benchproof.proof.why_text import render_explanation, render_item

__all__ = [
    "OPEN_LICENSES",
    "AnswerTrace",
    "ArchiveShelf",
    "AxisRerun",
    "CandidateTrace",
    "ChoiceTrace",
    "ContainerError",
    "ContainerUnreadableError",
    "ContrastExplanation",
    "ExpectFileError",
    "Explanation",
    "GateReference",
    "GateReferenceError",
    "ItemRerun",
    "ItemTrace",
    "Link",
    "NotIntactError",
    "NotReadableError",
    "NumberExplanation",
    "OtherModelError",
    "PackedFile",
    "PackedProof",
    "PackedVerification",
    "ProofContents",
    "ProofError",
    "ProvenRun",
    "PublicationDecision",
    "Rerun",
    "RunContents",
    "RunProof",
    "Rung",
    "SheetCheck",
    "SheetState",
    "Shelf",
    "SoundRun",
    "Spot",
    "Tolerance",
    "UnknownItemError",
    "Verdict",
    "Verification",
    "compare_manifest",
    "decide_files",
    "decide_publication",
    "describe",
    "draw_items",
    "explain",
    "find_item",
    "list_left_out",
    "list_not_shown",
    "list_shown",
    "list_steps",
    "list_terms",
    "opened_intact_proof",
    "opened_proof",
    "pack_proof",
    "proof_rung",
    "prove_run",
    "read_expect",
    "read_gate_reference",
    "read_verifier",
    "render_explanation",
    "render_item",
    "render_packed_verification",
    "render_rerun",
    "render_verification",
    "require_reference",
    "require_sound",
    "rerun",
    "restrict_to_here",
    "shorten",
    "show_count",
    "show_range",
    "trace_item",
    "trace_items",
    "verify_paths",
    "verify_proof",
    "write_expect",
    "write_finding",
    "write_gate_reference",
]
