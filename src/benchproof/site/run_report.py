"""A run report from a sealed run: gathers what the page shows and renders it."""

from benchproof.archive import SealedRun
from benchproof.proof import RunProof, trace_items
from benchproof.records.score_sheet import ScoreSheet
from benchproof.site.report import render_report
from benchproof.site.report_data import ReportAxis, RunReport
from benchproof.site.report_items import DEFAULT_ITEM_LIMIT


def render_run_report(
    run: SealedRun,
    sheet: ScoreSheet | None,
    proof: RunProof,
    *,
    built: str,
    version: str,
    compared_with: int = 0,
    item_limit: int | None = DEFAULT_ITEM_LIMIT,
) -> str:
    """The self-contained HTML report of one run (``proof.prove_run`` gives the first three).

    A run whose bytes are not known to be those sealed gets a page that says so, with no number and no item.

    Args:
        run: The sealed run.
        sheet: Its numbers, recomputed; ``None`` where they could not be.
        proof: What was found when it was verified.
        built: When the page is made, as text (the caller's clock).
        version: Of benchproof.
        compared_with: References from outside the archive that the run was compared with.
        item_limit: Items embedded an axis and language at most; ``None`` embeds all.
    """
    is_readable = proof.rung in ("intact", "recomputed")
    asked = [axis_key for axis_key in run.axis_keys if not run.is_imported(axis_key)]
    axes = [_gather_axis(run, axis_key) for axis_key in asked] if is_readable else []
    nothing: ScoreSheet = {
        "schema_version": 1,
        "kind": "score-sheet",
        "of": {"id": run.id, "sha256": run.sha256},
        "judgings": [],
        "scorers": [],
        "numbers": [],
    }
    report = RunReport(
        manifest=run.manifest,
        sha256=run.sha256,
        axes=tuple(axes),
        sheet=sheet if sheet is not None and is_readable else nothing,
        proof=proof,
        compared_with=compared_with,
    )
    return render_report(report, built=built, version=version, item_limit=item_limit)


def _gather_axis(run: SealedRun, axis_key: str) -> ReportAxis:
    return ReportAxis(axis_key, run.axis(axis_key), run.axis_of_run(axis_key), trace_items(run, axis_key))
