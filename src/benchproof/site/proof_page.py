"""The page of a packed proof: one HTML file that opens from ``file://`` and asks the network for nothing.

Laws kept: no item text stands on it; everything is escaped and hidden characters are spelt out; no script; no clock, so
that the same proof has the same page.
"""

from benchproof.proof import ProofContents, list_left_out, list_not_shown, list_shown, list_steps, list_terms
from benchproof.site.page import hash_asset, page_environment, read_asset
from benchproof.site.report_numbers import build_tables, explain_flags


def render_proof_page(contents: ProofContents) -> str:
    """The page for everything that a proof carries; the numbers that it was packed for stand first."""
    style = read_asset("run_report.css")
    numbers = [number for run in contents.runs for number in run.sheet["numbers"]]
    wanted = [(contents.find_number(one["tag"])) for one in contents.index["numbers"]]
    return (
        page_environment()
        .get_template("proof_page.html.j2")
        .render(
            index=contents.index,
            models=" and ".join(sorted({run.manifest["model"]["model"] for run in contents.runs})),
            wanted=[(run, build_tables([number])[0].rows[0], number) for run, number in wanted],
            runs=[(run, build_tables(run.sheet["numbers"])) for run in contents.runs],
            flags=explain_flags(numbers),
            shown=list(list_shown(contents)),
            not_shown=list(list_not_shown(contents)),
            left_out=list(list_left_out(contents)),
            terms=list(list_terms(contents)),
            steps=list(list_steps(contents)),
            style=style,
            style_hash=hash_asset(style),
        )
    )
