"""``benchproof why``: from a printed number back to the bytes it came from."""

from pathlib import Path

import click

from benchproof.cli.output import print_json, print_text, terminal_width
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references


@click.command("why")
@click.argument("tag")
@click.option("--item", metavar="ID", help="Open one item too, such as en/ferry-q1.")
@click.option(
    "--proof",
    "packed",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Look for it in a packed proof instead of an archive.",
)
@expect_option
@archive_option
@json_option
def command(
    tag: str, item: str | None, packed: Path | None, expect: Path | None, archive: Path | None, as_json: bool
) -> int:
    """Lead TAG back to its answers: score sheet, run, axis, items, and with --item the raw line.

    Everything is verified on the way; exit 1 when anything is not intact or does not recompute. `A..B` explains a
    contrast of two numbers.
    """
    from benchproof.proof import describe, explain, opened_intact_proof, render_explanation
    from benchproof.results import say_compared

    if packed is None:
        explanation = explain(existing_archive(archive), tag, item, expect=read_references(expect))
    else:
        with opened_intact_proof(packed) as proof:
            explanation = explain(proof, tag, item, expect=read_references(expect))
    if as_json:
        print_json(describe(explanation) | {"compared_with": explanation.compared_with, "ok": explanation.ok})
    else:
        print_text(render_explanation(explanation, width=terminal_width()))
        print_text(say_compared(explanation.compared_with))
    return explanation.exit_code
