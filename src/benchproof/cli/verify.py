"""``benchproof verify``: are sealed bytes intact, and do the numbers follow from them?"""

from contextlib import closing
from pathlib import Path

import click

from benchproof.cli.output import count_of, print_json, print_text, say, terminal_width
from benchproof.cli.progress import BytesBar
from benchproof.cli.surroundings import archive_option, existing_archive, json_option


@click.command("verify")
@click.argument("runs", nargs=-1)
@click.option(
    "--expect",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Compare with references that were kept outside the archive (written by --write-expect).",
)
@click.option(
    "--write-expect", type=click.Path(path_type=Path, dir_okay=False), help="Write such references to a new file."
)
@archive_option
@json_option
def command(
    runs: tuple[str, ...], expect: Path | None, write_expect: Path | None, archive: Path | None, as_json: bool
) -> int:
    """Verify RUNS (ids, their unique beginnings, or paths), or the whole archive.

    Says how far each run was proven: intact (its bytes are those that were sealed), recomputed (records and numbers
    follow from the answers), re-asked (not done here: benchproof rerun). Nothing is written to the archive.
    """
    from benchproof import proof

    root = existing_archive(archive)
    references = proof.read_expect(expect) if expect is not None else None
    with closing(BytesBar("verifying")) as bar:
        outcome = proof.verify_paths(root, runs, expect=references, progress=bar)
    if write_expect is not None:
        noted = proof.write_expect(root, write_expect)
        say(f"{count_of(len(noted), 'reference')} written to {write_expect}; keep the file outside the archive")
    if as_json:
        print_json(proof.describe(outcome) | {"ok": outcome.ok})
    else:
        print_text(proof.render_verification(outcome, width=terminal_width()))
    return outcome.exit_code
