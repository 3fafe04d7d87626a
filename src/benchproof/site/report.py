"""The run report: one self-contained HTML file a run, which opens from ``file://`` and asks the network for nothing.

Laws kept: everything is escaped and hidden characters are spelt out; item texts stand on the page only where the
publication guard allows it; a Content-Security-Policy names the only style and the only script by hash, so that even a
text that slipped through could run nothing.
"""

from typing import TYPE_CHECKING

from benchproof.site.ladder import build_ladder
from benchproof.site.page import hash_asset, page_environment, read_asset
from benchproof.site.report_data import RunReport
from benchproof.site.report_facts import (
    build_settings,
    list_claims,
    list_commands,
    list_limits,
    list_model_facts,
    list_run_facts,
)
from benchproof.site.report_items import DEFAULT_ITEM_LIMIT, build_axis_items
from benchproof.site.report_numbers import HEADLINE, build_tables, explain_flags

if TYPE_CHECKING:
    from benchproof.records.score_sheet import ScoreSheet


def render_report(report: RunReport, *, built: str, version: str, item_limit: int | None = DEFAULT_ITEM_LIMIT) -> str:
    """The page for one run.

    Args:
        report: The run's data; traces of its axes are read once.
        built: When the page is made, as text (the caller's clock).
        version: Of benchproof, for the footer.
        item_limit: Items embedded an axis and language at most; ``None`` embeds all.
    """
    manifest = report.manifest
    tags = _headline_tags(report.sheet)
    style, script = read_asset("run_report.css"), read_asset("run_report.js")
    heads, settings = build_settings(manifest)
    first_tag = next(iter(tags.values()), None)
    return (
        page_environment()
        .get_template("run_report.html.j2")
        .render(
            manifest=manifest,
            sha256=report.sha256,
            proof=report.proof,
            ladder=build_ladder(report.proof, report.compared_with),
            claims=list_claims(report),
            limits=list_limits(report),
            tables=build_tables(report.sheet["numbers"]),
            flags=explain_flags(report.sheet["numbers"]),
            scorers=report.sheet["scorers"],
            model_facts=list_model_facts(manifest),
            run_facts=list_run_facts(manifest),
            setting_heads=heads,
            settings=settings,
            axes=(build_axis_items(axis, tags.get(axis.axis_key), item_limit) for axis in report.axes),
            commands=list_commands(manifest, report.proof, first_tag),
            built=built,
            version=version,
            style=style,
            script=script,
            style_hash=hash_asset(style),
            script_hash=hash_asset(script),
        )
    )


def _headline_tags(sheet: "ScoreSheet") -> dict[str, str]:
    """The tag of each axis and language's headline number, by axis key."""
    tags: dict[str, str] = {}
    for number in sheet["numbers"]:
        if number["slice"] == HEADLINE:
            tags.setdefault(f"{number['axis']}.{number['language']}", number["tag"])
    return tags
