"""``benchproof archive``: look after an archive."""

from pathlib import Path

import click

from benchproof.cli.output import count_of, print_json, say
from benchproof.cli.surroundings import archive_option, existing_archive, json_option


@click.group("archive")
def command() -> None:
    """Look after an archive: clear what crashes left behind."""


@command.command("gc")
@click.option("--dry-run", is_flag=True, help="List what would be removed, and remove nothing.")
@click.option(
    "--discard-run",
    "discarded",
    multiple=True,
    metavar="ID",
    help="Remove this open run too, with all that it recorded. No run is discarded unasked.",
)
@archive_option
@json_option
def gc(dry_run: bool, discarded: tuple[str, ...], archive: Path | None, as_json: bool) -> None:
    """Remove what a crash left in staging, at once and without a question, and list it.

    It goes over folders of unfinished writes in which no process works. Sealed runs are never touched, and open ones
    only where --discard-run names them. With --dry-run nothing is removed, only listed.
    """
    from benchproof.archive import HandleError, discard_open_run, list_open_runs, sweep_staging

    root = existing_archive(archive)
    still_open = {run.id for run in list_open_runs(root, on_damage=lambda _name, _error: None)}
    for name in discarded if dry_run else ():
        if name not in still_open:
            raise HandleError("no such open run", place=str(root), got=name, expected=", ".join(still_open) or "none")
    swept = sweep_staging(root, only_list=dry_run)
    for name in () if dry_run else discarded:
        discard_open_run(root, name)
    if as_json:
        print_json({"dry_run": dry_run, "staging": swept, "discarded": list(discarded)})
        return
    for name in swept:
        click.echo(f".staging/{name}")
    for name in discarded:
        click.echo(f"open run {name}")
    what = "would be removed" if dry_run else "removed"
    say(f"{count_of(len(swept) + len(discarded), 'folder')} {what}")
