"""Verify: are sealed bytes intact, do numbers follow from answers, and what is not proven (contract-archive §5).

Laws kept here: every error is found and sorted, never only the first; a missing ``derived/`` is no fault; the number
of outside references is stated, 0 included; nothing is written. There is no verdict *verified*.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchproof.archive import RunVerification, SealedRun, is_imported, verify_archive
from benchproof.archive.verification import judge_findings
from benchproof.canon import digest
from benchproof.errors import BenchproofError, ExitCode
from benchproof.interop import compare_with_log
from benchproof.proof.errors import NotIntactError, NotReadableError
from benchproof.proof.shelf import ArchiveShelf, Progress, Shelf, StoredSheet, load_readable, restrict_to_here
from benchproof.proof.verification import Rung, RunProof, SheetCheck, Verification
from benchproof.records.score_sheet import ScoreSheet
from benchproof.rulebook import Severity, has_errors
from benchproof.scores import compare_sheets, compute_score_sheet, is_current

# Errors that say what does not follow from the bytes; every other error says that the bytes are not those sealed.
CONTENT_CODES = frozenset({"I001", *(f"A0{number}" for number in (*range(30, 44), *range(47, 52)))})

REPEATED = frozenset({"as_reported", "as_scored", "not_recomputed"})
"""Flags of numbers that do not follow from answers: a log's own, the mean of its own item scores, or none at all."""


class ProvenRun(NamedTuple):
    """A run's proof with what it was made from; ``run`` and ``sheet`` are ``None`` where the bytes do not allow it."""

    proof: RunProof
    run: SealedRun | None
    sheet: ScoreSheet | None


class SoundRun(NamedTuple):
    """A run whose bytes and records hold, with the score sheet that was recomputed from it.

    ``compared_with`` counts references from outside the archive: 0 or 1.
    """

    run: SealedRun
    sheet: ScoreSheet
    compared_with: int = 0


def verify_paths(
    root: Path,
    handles: Sequence[str] = (),
    *,
    expect: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Verify the runs of ``handles`` (ids, unique prefixes, paths), or the whole archive where there are none.

    ``expect``: outside references as ``read_expect`` gives them, SHA-256 by path below the archive.
    """
    shelf = ArchiveShelf(root)
    if not handles:
        whole = verify_archive(root, expect=expect, progress=progress)
        proofs = tuple(complete_proof(shelf, checked, checked.id).proof for checked in whole.runs)
        return Verification(proofs, whole.findings, whole.compared_with)
    checked = {one: shelf.verify_run(one, expect=expect, progress=progress) for one in dict.fromkeys(handles)}
    proofs = tuple(complete_proof(shelf, one, handle).proof for handle, one in checked.items())
    return Verification(proofs, (), sum(one.compared_with for one in checked.values()))


def prove_run(
    root: Path | Shelf, handle: str, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
) -> ProvenRun:
    """One run's proof, with the run and the score sheet that was recomputed from it."""
    shelf = ArchiveShelf(root) if isinstance(root, Path) else root
    return complete_proof(shelf, shelf.verify_run(handle, expect=expect, progress=progress), handle)


def require_sound(
    root: Path, handle: str, *, expect: Mapping[str, str] | None = None, progress: Progress | None = None
) -> SoundRun:
    """A run and the numbers that follow from its answers: what prints a number asks for it here.

    Raises:
        NotIntactError: The bytes are not those sealed, or records do not follow from raw lines.
        NotReadableError: They could not be read, which is no verdict.
    """
    proven = prove_run(root, handle, expect=expect, progress=progress)
    if proven.run is not None and proven.sheet is not None:
        return SoundRun(proven.run, proven.sheet, proven.proof.compared_with)
    proof = proven.proof
    fault = next((str(one) for one in proof.findings if one.severity is Severity.ERROR), proof.numbers_note)
    refusal = NotReadableError if proof.rung == "not checked" else NotIntactError
    raise refusal(
        "no number of this run can be recomputed, so none is printed",
        place=f"runs/{proof.id}",
        got=fault,
        hint=f"See all of it: benchproof verify {proof.id}",
    )


def proof_rung(root: Path, handle: str) -> Rung:
    """The rung of one run, for a table's column."""
    return prove_run(root, handle).proof.rung


def complete_proof(shelf: Shelf, checked: RunVerification, handle: str) -> ProvenRun:
    """Recompute the numbers of a run whose bytes were checked, and compare each stored score sheet."""
    run = load_readable(shelf, handle)
    sheet: ScoreSheet | None = None
    note: str | None = None
    here = None if run is None else restrict_to_here(shelf, run)
    if here is not None and not has_errors(checked.findings):
        checked = _compare_with_log(here, checked)
    if has_errors(checked.findings) or here is None:
        note = "the evidence has faults, so no number was recomputed from it"
    else:
        try:
            sheet = compute_score_sheet(here)
        except BenchproofError as error:
            note = str(error)
    sheets = tuple(_check_sheet(stored, here, sheet) for stored in shelf.list_sheets(checked.id))
    if note is None and run is not None and here is not None and run.axis_keys != here.axis_keys:
        missing = ", ".join(key for key in run.axis_keys if key not in here.axis_keys)
        note = f"what the numbers of {missing} follow from was left out"
    left_out = len(shelf.list_left_out(checked.id))
    return ProvenRun(_prove(checked, run, sheet, sheets, note, left_out), run, sheet)


def _compare_with_log(run: SealedRun, checked: RunVerification) -> RunVerification:
    """An imported run's records follow from the log that was kept with it, not from raw lines of ours."""
    if not any(is_imported(axis) for axis in run.manifest["axes"]):
        return checked
    findings, records = compare_with_log(run)
    return replace(checked, findings=tuple(sorted({*checked.findings, *findings})), records_recomputed=records)


def _prove(
    checked: RunVerification,
    run: SealedRun | None,
    sheet: ScoreSheet | None,
    sheets: tuple[SheetCheck, ...],
    note: str | None,
    left_out: int,
) -> RunProof:
    numbers = [] if sheet is None else sheet["numbers"]
    scored = [number for number in numbers if not REPEATED & set(number["flags"])]
    missing = sum("not_recomputed" in number["flags"] for number in numbers)
    if missing:
        note = f"{missing} numbers not recomputed: their scorers are not at hand"
    elif numbers and not scored:
        note = "every number is the log's own: it holds nothing that they could be computed from"
    if note is None and run is not None and not run.manifest["axes"]:
        note = "the run has no records"
    return RunProof(
        id=checked.id,
        sha256=checked.sha256,
        rung=_find_rung(checked, note),
        synthetic=run is not None and run.manifest["synthetic"],
        partial=run is not None and run.manifest["partial"],
        files=checked.files,
        records=0 if run is None else sum(sum(axis["counts"].values()) for axis in run.manifest["axes"]),
        records_recomputed=checked.records_recomputed,
        numbers=len(scored),
        numbers_repeated=len(numbers) - len(scored) - missing,
        numbers_note=note,
        sheets=sheets,
        findings=checked.findings,
        compared_with=checked.compared_with,
        left_out=left_out,
    )


def _find_rung(checked: RunVerification, note: str | None) -> Rung:
    errors = {finding.code for finding in checked.findings if finding.severity is Severity.ERROR}
    if judge_findings(checked.findings) is ExitCode.CANNOT_TELL:
        return "not checked"
    if errors - CONTENT_CODES:
        return "broken"
    return "intact" if errors or note is not None else "recomputed"


def _check_sheet(stored: StoredSheet, run: SealedRun | None, sheet: ScoreSheet | None) -> SheetCheck:
    """A stored sheet against the recomputed one, as far as ``run`` has the axes for it."""
    place, kept = stored
    if kept is None:
        return SheetCheck(place, "differs", 0, note="its bytes are not those that its name is the digest of")
    count = len(kept["numbers"])
    if run is None or sheet is None:
        return SheetCheck(place, "not recomputed", count, note="the evidence has faults")
    if kept["of"]["sha256"] != run.sha256:
        return SheetCheck(place, "differs", count, note=f"it is of manifest {kept['of']['sha256']}")
    kept, missing = _cut_sheet(kept, run, {scorer["slug"] for scorer in sheet["scorers"]})
    if missing and missing == count:
        return SheetCheck(place, "not recomputed", count, note="what its numbers follow from was left out")
    note = f"{missing:,} of its {count:,} numbers not recomputed" if missing else None
    moved = tuple(compare_sheets(kept, sheet))
    if is_current(kept, run):
        return SheetCheck(place, "differs" if digest(kept) != digest(sheet) else "same", count, moved, note)
    made_by = ", ".join(f"{one['slug']} {one['version']} ({one['digest'][:12]})" for one in kept["scorers"])
    return SheetCheck(place, "not recomputed", count, moved, note=f"made by other scorers: {made_by}")


def _cut_sheet(sheet: ScoreSheet, run: SealedRun, slugs: Collection[str]) -> tuple[ScoreSheet, int]:
    """The sheet without the numbers of axes that ``run`` does not have, and how many these are."""
    numbers = [one for one in sheet["numbers"] if f"{one['axis']}.{one['language']}" in run.axis_keys]
    missing = len(sheet["numbers"]) - len(numbers)
    scorers = [one for one in sheet["scorers"] if one["slug"] in slugs] if missing else sheet["scorers"]
    return {**sheet, "numbers": numbers, "scorers": scorers}, missing
