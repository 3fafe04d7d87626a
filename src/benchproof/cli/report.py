"""Writing the HTML report of a run to a file."""

from pathlib import Path

from benchproof import __version__
from benchproof.cli.output import write_whole
from benchproof.cli.surroundings import SurroundingsError, now


def write_report(root: Path, handle: str, path: Path, *, item_limit: int | None = None) -> Path:
    """Render the report of a run and put it at ``path``; readers see the old file or the whole new one."""
    from benchproof.proof import prove_run
    from benchproof.site import DEFAULT_ITEM_LIMIT, render_run_report

    proven = prove_run(root, handle)
    if proven.run is None:
        raise SurroundingsError(
            "there is no report of a run that cannot be read",
            place=handle,
            hint=f"`benchproof verify {handle}` says why.",
        )
    page = render_run_report(
        proven.run,
        proven.sheet,
        proven.proof,
        built=now().strftime("%Y-%m-%d %H:%M UTC"),
        version=__version__,
        item_limit=item_limit or DEFAULT_ITEM_LIMIT,
    )
    write_whole(path, page, name="the report")
    return path
