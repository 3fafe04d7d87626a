"""A verification as text: intact, recomputed, re-asked, and what is not proven."""

from collections import Counter
from collections.abc import Sequence

from benchproof.proof.figures import shorten, shorten_sheet, show_plainly
from benchproof.proof.verification import RunProof, SheetCheck, Verification
from benchproof.results import count_things, label_text, say_compared, wrap_text
from benchproof.rulebook import Finding, Severity

LISTED = 50


NOT_PROVEN = "Not proven: that these models said this (rerun asks again); what nobody noted outside the archive."


def render_verification(verification: Verification, *, width: int | None = None) -> str:
    """Each run on a few lines, then what is not proven and against what it was compared. ``width``: the terminal's."""
    lines: list[str] = []
    for run in verification.runs:
        lines += _write_run(run, width)
    lines += [line for finding in verification.findings for line in write_finding(finding, width, indent=2)]
    if not verification.runs and not verification.findings:
        lines.append("No sealed run here.")
    if len(verification.runs) > 1:
        lines.append(_sum_up(verification.runs))
    lines.append(say_compared(verification.compared_with))
    lines += wrap_text(NOT_PROVEN, width)
    return "\n".join(show_plainly(line) for line in lines) + "\n"


def _sum_up(runs: Sequence[RunProof]) -> str:
    """How many runs stand on each rung."""
    rungs = Counter(run.rung for run in runs)
    if len(rungs) == 1:
        return f"{len(runs):,} runs: all {runs[0].rung}."
    parts = [f"{rungs[rung]:,} {rung}" for rung in ("broken", "not checked", "intact", "recomputed") if rungs[rung]]
    return f"{len(runs):,} runs: {', '.join(parts)}."


def _write_run(run: RunProof, width: int | None) -> list[str]:
    manifest = "no manifest" if run.sha256 is None else f"manifest {shorten(run.sha256)}"
    words = [word for word, holds in (("synthetic", run.synthetic), ("partial", run.partial)) if holds]
    lines = wrap_text(f"{run.id}   {manifest}{''.join(f', {word}' for word in words)}", width)
    lines += label_text("intact", _write_intact(run), width=width)
    lines += label_text("recomputed", _write_recomputed(run), width=width)
    lines += [line for sheet in run.sheets for line in label_text("sheet", _write_sheet(sheet), width=width)]
    lines += label_text("re-asked", "not done", width=width)
    shown = sorted(run.findings, key=lambda finding: (finding.severity is not Severity.ERROR, finding))
    lines += [line for finding in shown[:LISTED] for line in write_finding(finding, width, indent=4)]
    if len(shown) > LISTED:
        lines.append(f"    … and {len(shown) - LISTED:,} more (--json lists all)")
    return lines


def _write_intact(run: RunProof) -> str:
    errors = sum(finding.severity is Severity.ERROR for finding in run.findings)
    if run.rung in ("broken", "not checked"):
        return f"{'NO' if run.rung == 'broken' else 'CANNOT TELL'}: {count_things(errors, 'error')}"
    return (
        f"yes ({count_things(run.files, 'file')}{f'; {run.left_out:,} left out of the proof' if run.left_out else ''})"
    )


def _write_recomputed(run: RunProof) -> str:
    if run.rung == "intact" and not run.records:
        return f"nothing: {run.numbers_note}"
    records = f"{run.records_recomputed:,} of {count_things(run.records, 'record')}"
    numbers = count_things(run.numbers, "number")
    if run.numbers_repeated and run.numbers:
        numbers += f"; {run.numbers_repeated:,} the log's own"
    if run.numbers_note is None:
        return f"yes ({records}, {numbers})"
    return f"{'in part' if run.left_out and run.ok else 'NO'} ({records}, {numbers}): {run.numbers_note}"


def _write_sheet(sheet: SheetCheck) -> str:
    state = "DIFFERS" if sheet.state == "differs" else sheet.state
    moved = ", ".join(one.tag for one in sheet.moved[:5])
    notes = "; ".join(note for note in (sheet.note, f"moved: {moved}" if moved else None) if note)
    return f"{shorten_sheet(sheet.place)}: {state}{f' ({notes})' if notes else ''}"


def write_finding(finding: Finding, width: int | None, *, indent: int) -> list[str]:
    """A finding; on one line where no terminal reads it, so that a search finds all of it."""
    weight = "" if finding.severity is Severity.ERROR else f"{finding.severity.value}: "
    text = f"{' ' * indent}{weight}{finding}"
    return [text] if width is None else wrap_text(text, width, indent=indent + 2)
