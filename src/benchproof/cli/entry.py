"""Where the console script enters: errors become one message and one exit code; nothing leaks a traceback.

The exit codes are ``errors.ExitCode``. An uncaught exception is a fault of ours, never an answer: it ends with
*cannot tell*, because 1 would say "no".
"""

import os
import sys
import traceback
from collections.abc import Sequence

from benchproof import __version__
from benchproof.errors import BenchproofError, ExitCode


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code (the console script hands it to ``sys.exit``)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words in (["--version"], ["-V"]):
        print(f"benchproof {__version__}")  # noqa: T201  before anything is imported: the start must be quick
        return ExitCode.YES
    return _run(words)


def _run(words: list[str]) -> int:
    import click

    from benchproof.cli.aliases import expand_aliases
    from benchproof.cli.app import app

    try:
        words, notice = expand_aliases(words)
        if notice:
            click.echo(f"note: {notice}", err=True)
        outcome = app.main(args=words, prog_name="benchproof", standalone_mode=False)
        sys.stdout.flush()
    except BenchproofError as error:
        click.echo(f"error: {error}", err=True)
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        return ExitCode.WRONG_CALL
    except click.UsageError as error:
        error.show()
        return ExitCode.WRONG_CALL
    except click.ClickException as error:
        error.show()
        return ExitCode.WRONG_CALL
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): not an error, and the interpreter must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.YES
    except Exception:
        click.echo(traceback.format_exc(), err=True, nl=False)
        click.echo(
            "error: this is a fault of benchproof, not of your input; nothing was judged. Please report it.", err=True
        )
        return ExitCode.CANNOT_TELL
    return int(outcome) if isinstance(outcome, int) else ExitCode.YES
