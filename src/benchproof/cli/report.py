"""Writing the HTML report of a run to a file."""

import os
from pathlib import Path

from benchproof import __version__
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
    if path.exists() and not path.is_file():
        raise SurroundingsError("a report is written to a regular file", place=str(path))
    try:
        _replace_whole(Path(os.path.realpath(path)), page)
    except OSError as error:
        raise SurroundingsError("the report cannot be written", place=str(path), got=error.strerror) from error
    return path


def _replace_whole(path: Path, page: str) -> None:
    """Put the page in the file's place, or leave nothing behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        staged.write_text(page, encoding="utf-8")
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)
