"""The command table. Commands are imported when called, so that ``--help`` starts quickly (goal P3)."""

from importlib import import_module

import click

from benchproof import __version__

# name: (module under benchproof.cli, line of help), in the order of a first day's work.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "Run the starter bench on a real local model, end to end."),
    "doctor": ("doctor", "Say what is installed, what is missing, and how to get it."),
    "run": ("run", "Ask models the questions of a bench, and seal the evidence."),
    "import": ("import_logs", "Seal the logs that other harnesses wrote, and find their faults."),
    "findings": ("findings", "List what is wrong with an imported run, or to be known of it."),
    "wrap": ("wrap", "Run a harness, and seal what it wrote, also after a crash."),
    "show": ("show", "Show a run: what was asked, what was answered."),
    "list": ("list", "List runs, benches or models."),
    "score": ("score", "Compute the numbers of a run from its evidence; no model is asked."),
    "table": ("table", "Print numbers that may stand beside one another."),
    "export": ("export", "Write runs as a table to a file: Parquet, CSV or Arrow."),
    "compare": ("compare", "Contrast two runs: paired differences, and what else differs."),
    "gate": ("gate", "Hold a run against a reference: pass, fail, or cannot tell."),
    "why": ("why", "Lead a printed number back to the bytes it came from."),
    "check": ("check", "Check a bench: does it follow the rules, and can a fake pass it?"),
    "verify": ("verify", "Are sealed bytes intact, and do the numbers follow from them?"),
    "rerun": ("rerun", "Ask the model again, whole or a sample, and compare."),
    "pack": ("pack", "Pack numbers and their evidence into one file that travels alone."),
    "archive": ("archive", "Look after an archive: clear what crashes left behind."),
    "rules": ("rules", "Explain a rule by its code, or list them."),
    "digest": ("digest", "SHA-256 of a file, or of its canonical JSON."),
}


class CommandTable(click.Group):
    """A click group that knows its commands' names and help lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"benchproof.cli.{COMMANDS[cmd_name][0]}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        name = args[0]
        if name in COMMANDS or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        near = get_close_matches(name, COMMANDS, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else " See benchproof --help."
        raise click.UsageError(f"There is no command '{name}'.{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, from the help lines above."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


EPILOG = """\b
First steps:
  benchproof demo                     the whole path on a small model
  benchproof run starter smollm2      one bench, one model
  benchproof table starter            its numbers, each with a tag
  benchproof why TAG                  what a number stands on

Exit codes: 0 yes; 1 no (a finding, a difference); 2 wrong call or input that cannot be opened; 3 stopped by budget,
evidence kept; 4 cannot tell (something is missing); 130 interrupted, evidence kept.
"""


@click.group(
    cls=CommandTable,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=EPILOG,
)
@click.version_option(__version__, "-V", "--version", message="benchproof %(version)s")
def app() -> None:
    """Benchmark numbers you can defend. Ask any number why.

    A run is sealed as evidence in an archive; every number that is printed has a tag, and `benchproof why TAG`
    leads from it back to the answers, offline. Numbers that were measured differently are never ranked together.
    """
