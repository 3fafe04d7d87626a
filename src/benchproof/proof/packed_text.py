"""The verification of a packed proof as text: its runs as any other's, then what is the proof's own."""

from benchproof.proof.figures import show_plainly
from benchproof.proof.verify_packed import PackedVerification
from benchproof.proof.verify_text import render_verification
from benchproof.results import count_things, label_text, wrap_text
from benchproof.rulebook import has_errors


def render_packed_verification(outcome: PackedVerification, *, width: int | None = None) -> str:
    """The proof on a few lines, then its runs and its findings. ``width``: the terminal's."""
    findings = outcome.verification.findings
    lines = wrap_text(f"{outcome.place}   {count_things(len(outcome.numbers), 'number')}, by {outcome.made_by}", width)
    state = f"NO: {count_things(len(findings), 'finding')}" if has_errors(findings) else "yes"
    lines += label_text("as packed", f"{state} ({outcome.bytes / 1e6:.1f} MB)", width=width)
    against = "compared with nothing"
    if outcome.given is not None:
        against = "the one given" if outcome.given == outcome.digest else "NOT the one given"
    lines += label_text("digest", outcome.digest, against, width=width)
    page = "made anew: the same" if outcome.page_compared else "not compared: another version packed it"
    lines += label_text("page", page if not has_errors(findings) else "see below", width=width)
    for why in sorted({entry["why"] for entry in outcome.left_out}):
        count = sum(entry["why"] == why for entry in outcome.left_out)
        lines += label_text("left out", f"{count_things(count, 'file')}: {why}", width=width)
    return "\n".join(map(show_plainly, lines)) + "\n" + render_verification(outcome.verification, width=width)
