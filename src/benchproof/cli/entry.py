"""Where the console script enters: errors become one message and one exit code; nothing leaks a traceback.

The exit codes are ``errors.ExitCode``. An uncaught exception is a fault of ours, never an answer: it ends with
*cannot tell*, because 1 would say "no". So does a reader of stdout that goes away before the answer is out.
"""

import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from benchproof import __version__
from benchproof.cli.plain_stream import plain_output
from benchproof.cli.standard_streams import fill_closed_streams
from benchproof.errors import BenchproofError, ExitCode

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code (the console script hands it to ``sys.exit``)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words in (["--version"], ["-V"]):
        print(f"benchproof {__version__}")  # noqa: T201  before anything is imported: the start must be quick
        return ExitCode.YES
    fill_closed_streams()
    _write_utf8()
    with plain_output(), _stopped_by_sigterm():
        return _run(words)


def _run(words: list[str]) -> int:
    import click

    from benchproof.cli.aliases import expand_aliases
    from benchproof.cli.app import app

    try:
        words, notice = expand_aliases(words)
        if notice:
            click.echo(f"note: {notice}", err=True)
        # Not `app.main`: it would turn a lost reader into exit 1, which says "no".
        with app.make_context("benchproof", list(words), obj=tuple(words)) as context:
            outcome = app.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except BenchproofError as error:
        from benchproof.cli.hints import complete_commands

        click.echo(f"error: {complete_commands(str(error), words)}{_lead_on(error)}", err=True)
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        return ExitCode.WRONG_CALL
    except click.ClickException as error:
        click.echo(f"error: {_describe_wrong_call(error)}", err=True)
        return ExitCode.WRONG_CALL
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return _lose_reader()
    except Exception as error:
        return _report_fault(error)
    return int(outcome) if isinstance(outcome, int) else ExitCode.YES


def _lead_on(error: BenchproofError) -> str:
    """Where a run was wanted and a number's tag was typed: what opens that."""
    from benchproof.archive import HandleError
    from benchproof.cli.tags import lead_from_tag

    if not isinstance(error, HandleError) or error.hint or not error.got:
        return ""
    lead = lead_from_tag(error.got.strip("'"))
    return f". {lead}" if lead else ""


def _describe_wrong_call(error: object) -> str:
    """The message of a click exception on one line, with the help to read."""
    import click

    assert isinstance(error, click.ClickException)
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or "--help" in message:
        return message
    return f"{message}{'' if message.endswith(('.', '?', ')')) else '.'} See {context.command_path} --help."


def _lose_reader() -> ExitCode:
    """The reader of stdout went away (``| head``). No message, and the interpreter must not complain at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    return ExitCode.CANNOT_TELL


def _report_fault(error: Exception) -> ExitCode:
    import click

    if isinstance(error, OSError) and error.errno in DISK_FULL and error.filename is None:
        click.echo(
            f"error: the output cannot be written; got {error.strerror}. Make room, or write elsewhere.", err=True
        )
        return ExitCode.CANNOT_TELL
    click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    click.echo(
        "error: this is a fault of benchproof, not of your input; nothing was judged. Please report it.", err=True
    )
    return ExitCode.CANNOT_TELL


def _write_utf8() -> None:
    """Names and answers are Unicode: a terminal or pipe of another encoding must not end a command."""
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        with suppress(AttributeError, ValueError):
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]


@contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does: evidence is kept, exit 130. Signals belong to the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
