"""``benchproof rules``: a rule by its code, or all of them."""

from dataclasses import asdict

import click

from benchproof.cli.output import print_json
from benchproof.cli.surroundings import json_option
from benchproof.rulebook import find_rule, load_rules

CONTRACTS = "  (docs/explanation/contracts.md says what it covers)"


@click.command("rules")
@click.argument("code", required=False)
@json_option
def command(code: str | None, as_json: bool) -> None:
    """Explain the rule CODE (such as A012), or list every rule.

    Findings name the rule they break by its code; this says what the rule is, where it comes from, and which function
    decides it.
    """
    rules = [find_rule(code)] if code else list(load_rules().values())
    if as_json:
        print_json([asdict(rule) for rule in rules])
        return
    for rule in rules:
        click.echo(f"{rule.code}  {rule.severity:<7}  {rule.title}")
        if code:
            click.echo(f"  source   {rule.source}{CONTRACTS if 'contract-' in rule.source else ''}")
            click.echo(f"  home     {rule.home}")
            click.echo(f"  example  tests/conformance/bad/{rule.code}/")
