"""A verification as text: intact, recomputed, re-asked, and what is not proven."""

from benchproof.proof.figures import shorten, shorten_sheet, show_plainly
from benchproof.proof.verification import RunProof, SheetCheck, Verification
from benchproof.results import count_things
from benchproof.rulebook import Finding, Severity

LISTED = 50


def render_verification(verification: Verification) -> str:
    """Each run on a few lines, then what is not proven and against what it was compared."""
    lines: list[str] = []
    for run in verification.runs:
        lines += _write_run(run)
    lines += [f"  {_write_finding(finding)}" for finding in verification.findings]
    if not verification.runs and not verification.findings:
        lines.append("No sealed run here.")
    compared = count_things(verification.compared_with, "outside reference")
    lines.append(f"Compared with {compared}{'' if verification.compared_with else ' (--expect FILE gives some)'}.")
    lines.append("Not proven: that these models said this (rerun asks again); what nobody noted outside the archive.")
    return "\n".join(show_plainly(line) for line in lines) + "\n"


def _write_run(run: RunProof) -> list[str]:
    manifest = "no manifest" if run.sha256 is None else f"manifest {shorten(run.sha256)}"
    words = [word for word, holds in (("synthetic", run.synthetic), ("partial", run.partial)) if holds]
    head = f"{run.id}   {manifest}{''.join(f', {word}' for word in words)}"
    lines = [head, f"  intact       {_write_intact(run)}", f"  recomputed   {_write_recomputed(run)}"]
    lines += [f"  sheet        {_write_sheet(sheet)}" for sheet in run.sheets]
    lines.append("  re-asked     not done")
    shown = sorted(run.findings, key=lambda finding: (finding.severity is not Severity.ERROR, finding))
    lines += [f"    {_write_finding(finding)}" for finding in shown[:LISTED]]
    if len(shown) > LISTED:
        lines.append(f"    … and {len(shown) - LISTED:,} more (--json lists all)")
    return lines


def _write_intact(run: RunProof) -> str:
    errors = sum(finding.severity is Severity.ERROR for finding in run.findings)
    if run.rung in ("broken", "not checked"):
        return f"{'NO' if run.rung == 'broken' else 'CANNOT TELL'}: {count_things(errors, 'error')}"
    return f"yes ({count_things(run.files, 'file')})"


def _write_recomputed(run: RunProof) -> str:
    if run.rung == "intact" and not run.records:
        return f"nothing: {run.numbers_note}"
    records = f"{run.records_recomputed:,} of {count_things(run.records, 'record')}"
    numbers = count_things(run.numbers, "number")
    if run.numbers_note is None:
        return f"yes ({records}, {numbers})"
    return f"NO ({records}, {numbers}): {run.numbers_note}"


def _write_sheet(sheet: SheetCheck) -> str:
    state = "DIFFERS" if sheet.state == "differs" else sheet.state
    moved = ", ".join(one.tag for one in sheet.moved[:5])
    notes = "; ".join(note for note in (sheet.note, f"moved: {moved}" if moved else None) if note)
    return f"{shorten_sheet(sheet.place)}: {state}{f' ({notes})' if notes else ''}"


def _write_finding(finding: Finding) -> str:
    weight = "" if finding.severity is Severity.ERROR else f"{finding.severity.value}: "
    return f"{weight}{finding}"
