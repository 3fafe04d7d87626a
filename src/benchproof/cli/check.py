"""``benchproof check``: does what people wrote follow the rules?"""

from contextlib import closing

import click

from benchproof.cli.output import print_json, print_text, terminal_width
from benchproof.cli.progress import AskedBar
from benchproof.cli.surroundings import json_option
from benchproof.errors import ExitCode
from benchproof.rulebook import Severity, has_errors


@click.command("check")
@click.argument("benches", nargs=-1, required=True, metavar="BENCH...")
@click.option("--no-controls", is_flag=True, help="Only the rules; ask no negative control.")
@click.option("--strict", is_flag=True, help="Exit 1 for a warning too, such as a fake that solves an axis.")
@json_option
def command(benches: tuple[str, ...], no_controls: bool, strict: bool, as_json: bool) -> int:
    """Check each BENCH: its files against the rules, and what six fakes score on it.

    A fake that solves an axis (always the first answer, the longest, an echo of the question …) means that the axis can
    be passed without the ability it names. Exit 1 when there is an error; warnings are listed, and exit 0 unless
    --strict.
    """
    from benchproof.harness import check_bench, describe_check, find_bench, render_check

    checks = []
    for bench in benches:
        with closing(AskedBar(f"{bench}: asking controls")) as bar:
            checks.append(check_bench(find_bench(bench), controls=not no_controls, progress=bar))
    if as_json:
        print_json([describe_check(one) for one in checks])
    else:
        for one in checks:
            print_text(render_check(one, width=terminal_width()))
    findings = [finding for one in checks for finding in one.findings]
    is_warned = strict and any(finding.severity is Severity.WARNING for finding in findings)
    return ExitCode.NO if is_warned or has_errors(findings) else ExitCode.YES
