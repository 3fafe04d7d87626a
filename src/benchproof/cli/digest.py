"""``benchproof digest``: the SHA-256 of a file's bytes, or of its canonical JSON."""

from pathlib import Path
from typing import BinaryIO, cast

import click

from benchproof.canon import Profile, canonical, file_digest, parse, sha256_hex
from benchproof.cli.output import print_json
from benchproof.cli.surroundings import SurroundingsError, json_option


@click.command("digest")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--canonical", "as_canonical", is_flag=True, help="Of the file's canonical JSON (RFC 8785), not of its bytes."
)
@click.option(
    "--profile",
    type=click.Choice(["strict", "rfc8785"]),
    default="strict",
    show_default=True,
    help="Number profile: strict refuses numbers that would not survive reading; rfc8785 reads each as a double.",
)
@json_option
def command(path: Path, as_canonical: bool, profile: Profile, as_json: bool) -> None:
    """Print the SHA-256 of the file PATH (`-` reads standard input).

    With --canonical the file must hold one JSON document; its digest does not depend on spaces or the order of keys.
    """
    try:
        with click.open_file(str(path), "rb") as file:
            if as_canonical:
                digest = sha256_hex(canonical(parse(file.read(), profile=profile, place=str(path)), profile=profile))
            else:
                digest = file_digest(cast("BinaryIO", file))[0]
    except OSError as error:
        raise SurroundingsError(
            "the file cannot be read",
            place=str(path),
            got=error.strerror or str(error),
            hint="Check its name and permissions.",
        ) from error
    if as_json:
        print_json(
            {
                "path": str(path),
                "sha256": digest,
                "canonical": as_canonical,
                "profile": profile if as_canonical else None,
            }
        )
        return
    click.echo(f"{digest}  {path}")
