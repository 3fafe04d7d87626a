"""``benchproof findings``: what is wrong with an imported run, or to be known of it."""

from pathlib import Path

import click

from benchproof.cli.import_logs import describe_finding, write_findings
from benchproof.cli.output import print_json, print_lines
from benchproof.cli.surroundings import archive_option, existing_archive, json_option
from benchproof.errors import ExitCode


@click.command("findings")
@click.argument("run")
@archive_option
@json_option
def command(run: str, archive: Path | None, as_json: bool) -> int:
    """List every finding about RUN, which was imported from another harness' log.

    The kept log is read again, and every number that it states is computed again from its own items. Exit 1 where a
    finding is an error. `benchproof rules CODE` explains one.
    """
    from benchproof.archive import load_run
    from benchproof.interop import examine_run
    from benchproof.rulebook import has_errors

    sealed = load_run(existing_archive(archive), run)
    findings = tuple(examine_run(sealed))
    if as_json:
        print_json({"run": sealed.id, "sha256": sealed.sha256, "findings": [describe_finding(one) for one in findings]})
    else:
        click.echo(sealed.id)
        print_lines(write_findings(findings))
    return ExitCode.NO if has_errors(findings) else ExitCode.YES
