"""``benchproof verify``: are sealed bytes intact, and do the numbers follow from them?"""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import count_of, print_json, print_text, say, terminal_width
from benchproof.cli.progress import BytesBar
from benchproof.cli.proofs import find_proof
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references

if TYPE_CHECKING:
    from benchproof.proof import Verification


@click.command("verify")
@click.argument("runs", nargs=-1)
@expect_option
@click.option("--digest", metavar="SHA256", help="The digest that was handed over with a packed proof.")
@click.option(
    "--write-expect",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write such references of what was verified and holds, into a new file or beside those that it has.",
)
@archive_option
@json_option
def command(
    runs: tuple[str, ...],
    expect: Path | None,
    digest: str | None,
    write_expect: Path | None,
    archive: Path | None,
    as_json: bool,
) -> int:
    """Verify RUNS (ids, their unique beginnings, @latest, or paths), the whole archive, or a packed proof (a file).

    Says how far each run was proven: intact (its bytes are those that were sealed), recomputed (records and numbers
    follow from the answers), re-asked (not done here: benchproof rerun). Nothing is written to the archive, and nothing
    of a proof is unpacked.
    """
    from benchproof import proof

    packed = find_proof(runs)
    if packed is not None:
        if write_expect is not None:
            raise click.UsageError("--write-expect notes runs of an archive; of a proof, note its digest.")
        return _verify_packed(packed, expect, digest, as_json=as_json)
    if digest is not None:
        raise click.UsageError("--digest is of a packed proof; references of an archive go with --expect FILE.")
    root = existing_archive(archive)
    with closing(BytesBar("verifying")) as bar:
        outcome = proof.verify_paths(root, runs, expect=read_references(expect), progress=bar)
    if write_expect is not None:
        _write_expect(root, write_expect, outcome)
    if as_json:
        print_json(proof.describe(outcome) | {"ok": outcome.ok})
    else:
        print_text(proof.render_verification(outcome, width=terminal_width()))
    return outcome.exit_code


def _verify_packed(path: Path, expect: Path | None, digest: str | None, *, as_json: bool) -> int:
    from benchproof import __version__, proof
    from benchproof.site import render_proof_page

    with closing(BytesBar("verifying")) as bar:
        outcome = proof.verify_proof(
            path,
            render_page=render_proof_page,
            version=__version__,
            given=digest,
            expect=read_references(expect),
            progress=bar,
        )
    if as_json:
        print_json(proof.describe(outcome))
    else:
        print_text(proof.render_packed_verification(outcome, width=terminal_width()))
    return outcome.exit_code


def _write_expect(root: Path, path: Path, outcome: "Verification") -> None:
    """Note the runs that were verified and hold; one that does not is named, not noted."""
    from benchproof.proof import write_expect

    held = {run.id: run.sha256 for run in outcome.runs if run.ok and run.sha256 is not None}
    for run in outcome.runs:
        if run.id not in held:
            say(f"not noted: {run.id}: it does not hold")
    noted = write_expect(root, path, held)
    say(f"{count_of(len(noted), 'reference')} in {path} now; keep the file outside the archive")
