"""Site: pages. For now one: the report of a run, self-contained and readable from ``file://``."""

from benchproof.site.proof_page import render_proof_page
from benchproof.site.report import render_report
from benchproof.site.report_data import ReportAxis, RunReport
from benchproof.site.report_items import DEFAULT_ITEM_LIMIT
from benchproof.site.run_report import render_run_report

__all__ = ["DEFAULT_ITEM_LIMIT", "ReportAxis", "RunReport", "render_proof_page", "render_report", "render_run_report"]
