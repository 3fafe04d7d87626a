"""``benchproof wrap``: run a harness, and seal what it wrote."""

import os
import tempfile
from pathlib import Path

import click

from benchproof import __version__
from benchproof.cli.import_logs import ReadingPace, describe_report, write_log
from benchproof.cli.output import print_json, print_lines, say
from benchproof.cli.surroundings import SCORE_VARIABLES, archive_option, json_option, now, writable_archive
from benchproof.errors import ExitCode

RECORDED = (*SCORE_VARIABLES, "CUDA_VISIBLE_DEVICES", "INSPECT_LOG_DIR", "INSPECT_EVAL_MODEL", "HF_HUB_OFFLINE")


@click.command("wrap", context_settings={"allow_interspersed_args": False})
@click.option(
    "--logs",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the command writes its logs (default: told from its own options, or Inspect's logs/).",
)
@archive_option
@json_option
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
def command(words: tuple[str, ...], folders: tuple[Path, ...], archive: Path | None, as_json: bool) -> int:
    """Run COMMAND, such as lm_eval or inspect, and import the logs that it writes.

    Its output passes through. Command, exit and times are recorded with the run; what was written before a crash is
    sealed as partial, and where nothing was, its output is sealed alone. Ends with the exit code of COMMAND where that
    failed.
    """
    from benchproof.interop import find_log_folders, wrap_command

    root = writable_archive(archive)
    places = list(folders) or find_log_folders(words, os.environ)
    if not places:
        say("note: the command does not say where it writes its logs; name the folder with --logs to import them")
    with tempfile.TemporaryDirectory(prefix="benchproof-wrap-") as transcripts:
        wrapped = wrap_command(
            root,
            words,
            folders=places,
            transcripts=Path(transcripts),
            clock=lambda: now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            version=__version__,
            variables={name: os.environ[name] for name in RECORDED if name in os.environ},
            stdout=2 if as_json else 1,
            progress=ReadingPace(),
        )
    child = wrapped.child
    if as_json:
        report = None if wrapped.report is None else describe_report(wrapped.report)
        sealed = None if wrapped.transcript is None else wrapped.transcript.id
        print_json({"exit_code": child.code, "signal": child.signal, "imported": report, "transcript": sealed})
    else:
        for log in wrapped.report.logs if wrapped.report else ():
            print_lines(write_log(log))
        for refused in wrapped.report.refused if wrapped.report else ():
            say(f"refused: {', '.join(refused.files[:3])}: {refused.error}")
    if wrapped.transcript is not None:
        say(f"no log was written; what the command printed is sealed as {wrapped.transcript.id}")
    if child.code:
        ended = f"signal {child.signal}" if child.signal else f"exit code {child.code}"
        say(f"the command ended with {ended}")
        return child.code if child.code > 0 else 128 + (child.signal or 0)
    return ExitCode.YES if wrapped.transcript is None else ExitCode.CANNOT_TELL
