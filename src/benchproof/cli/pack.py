"""``benchproof pack``: numbers with all they stand on, in one file that travels alone."""

from contextlib import closing
from pathlib import Path

import click

from benchproof import __version__
from benchproof.cli.output import count_of, print_json, print_lines
from benchproof.cli.progress import BytesBar
from benchproof.cli.surroundings import archive_option, existing_archive, json_option


@click.command("pack")
@click.argument("tags", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The proof to write, such as proof.zip.",
)
@click.option("--items", is_flag=True, help="Pack files that no data set speaks for too, under --licence.")
@click.option("--licence", metavar="SPDX", help="The licence that you state for these files; the proof records it.")
@archive_option
@json_option
def command(
    tags: tuple[str, ...], out: Path, items: bool, licence: str | None, archive: Path | None, as_json: bool
) -> int:
    """Pack the numbers of TAGS (or all of a run) with the runs they come from into one proof.

    Whoever gets it checks it offline with the verify.py inside, and needs nothing but Python. Item texts travel only
    where their data set allows it; the proof lists what was left out. The digest that is printed names every byte:
    hand it over by another way than the proof.
    """
    from benchproof.proof import describe, pack_proof
    from benchproof.site import render_proof_page

    if items != (licence is not None):
        raise click.UsageError("--items and --licence SPDX go together: texts leave under a licence that you state.")
    with closing(BytesBar("packing")) as bar:
        packed = pack_proof(
            existing_archive(archive),
            tags,
            out,
            render_page=render_proof_page,
            version=__version__,
            stated_license=licence,
            progress=bar,
        )
    index = packed.contents.index
    if as_json:
        print_json(describe({"path": str(out), "digest": packed.digest, "bytes": packed.bytes, "index": index}))
        return 0
    left_out = [entry for run in index["runs"] for entry in run["left_out"]]
    print_lines(
        [
            f"{out}   {count_of(len(index['numbers']), 'number')}, {count_of(len(index['runs']), 'run')}, "
            f"{packed.bytes / 1e6:.1f} MB",
            f"  digest       {packed.digest}",
            f"  left out     {count_of(len(left_out), 'file') if left_out else 'nothing'}",
            *sorted({f"    {entry['why']}" for entry in left_out}),
            "Hand the digest over by another way than the proof: it names every byte of it.",
        ]
    )
    return 0
