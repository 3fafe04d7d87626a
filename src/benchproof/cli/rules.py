"""``benchproof rules``: a rule by its code, or all of them."""

from dataclasses import asdict

import click

from benchproof.cli.output import print_json, print_lines, terminal_width
from benchproof.cli.surroundings import json_option
from benchproof.rulebook import Rule, find_rule, load_rules

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
        print_lines(_draw_rule(rule, terminal_width()))
        if code:
            click.echo(f"  source   {rule.source}{CONTRACTS if 'contract-' in rule.source else ''}")
            click.echo(f"  home     {rule.home}")
            click.echo(f"  example  tests/conformance/bad/{rule.code}/")


def _draw_rule(rule: Rule, width: int | None) -> list[str]:
    from benchproof.results import hang_text

    start = f"{rule.code}  {rule.severity:<7}  "
    return [start + rule.title] if width is None else hang_text(start, rule.title, width=width)
