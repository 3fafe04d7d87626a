"""``benchproof import``: seal the logs that other harnesses wrote, and say what is wrong with them."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchproof import __version__
from benchproof.cli.output import count_of, print_json, print_lines, say, terminal_width, worst_exit
from benchproof.cli.surroundings import archive_option, json_option, now, writable_archive
from benchproof.errors import ExitCode

if TYPE_CHECKING:
    from benchproof.interop import ImportedLog, ImportReport
    from benchproof.rulebook import Finding

SHOWN = 20
EVERY_SECONDS = 10.0


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--strict", is_flag=True, help="Exit 1 where a finding is an error: a number that its items do not give.")
@archive_option
@json_option
def command(paths: tuple[Path, ...], strict: bool, archive: Path | None, as_json: bool) -> int:
    """Seal the evaluation logs in PATHS (files or folders), whichever harness wrote them.

    Known are lm-eval, Inspect, HELM run folders, lighteval, MTEB and Every Eval Ever; the format is told by content.
    The original bytes are kept unchanged; every number that the log's own items give is computed again, and each
    disagreement is listed. Importing a log again changes nothing. Nothing in a log is executed or extracted to disk.
    """
    from benchproof.interop import import_logs

    report = import_logs(
        writable_archive(archive),
        paths,
        sealed_at=now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        version=__version__,
        progress=ReadingPace(),
    )
    if as_json:
        print_json(describe_report(report))
    else:
        _print_report(report)
    return exit_code_of(report, strict=strict)


def exit_code_of(report: "ImportReport", *, strict: bool) -> ExitCode:
    """Yes; no where a log was refused, or a finding is an error and that is asked; the worst counts."""
    from benchproof.rulebook import has_errors

    codes = [refused.error.exit_code for refused in report.refused]
    if strict and any(has_errors(log.findings) for log in report.logs):
        codes.append(ExitCode.NO)
    return worst_exit(codes)


def describe_report(report: "ImportReport") -> dict[str, Any]:
    """The report for ``--json``."""
    return {
        "logs": [{**asdict(log), "findings": [describe_finding(one) for one in log.findings]} for log in report.logs],
        "refused": [
            {"format": refused.format, "files": list(refused.files), "error": str(refused.error)}
            for refused in report.refused
        ],
        "unknown": list(report.unknown),
        "skipped": [skipped._asdict() for skipped in report.skipped],
    }


def describe_finding(finding: "Finding") -> dict[str, Any]:
    """A finding for ``--json``."""
    return {key: value for key, value in asdict(finding).items() if value is not None}


def _print_report(report: "ImportReport") -> None:
    for log in report.logs:
        print_lines(write_log(log))
    for refused in report.refused:
        say(f"refused: {', '.join(refused.files[:3])}: {refused.error}")
    if report.unknown:
        say(f"not a log of a known format: {_name_some(report.unknown)}")
    if report.skipped:
        say(f"passed over: {_name_some([f'{one.name} ({one.reason})' for one in report.skipped])}")


def write_log(log: "ImportedLog") -> list[str]:
    """One imported log in a few lines, findings by weight."""
    from benchproof.results import label_text, wrap_text

    width = terminal_width()
    partial = ", partial" if log.partial else ""
    lines = wrap_text(f"{log.harness}: {count_of(log.axes, 'task')}, {log.items:,} items{partial}", width)
    state = "sealed" if log.is_new else "known"
    lines += label_text(state, f"{log.run_id}   manifest {log.sha256[:12]}", width=width)
    lines += label_text("from", _name_some(log.files), width=width)
    lines += write_findings(log.findings)
    return lines


def write_findings(findings: "tuple[Finding, ...]") -> list[str]:
    """How many of each weight, then each, errors first."""
    from benchproof.proof import write_finding
    from benchproof.results import label_text
    from benchproof.rulebook import Severity

    width = terminal_width()
    order = list(Severity)
    shown = sorted(findings, key=lambda finding: (order.index(finding.severity), finding))
    counts = [f"{sum(one.severity is weight for one in shown)} {weight.value}" for weight in order]
    lines = label_text("findings", ", ".join(one for one in counts if not one.startswith("0 ")) or "none", width=width)
    for finding in shown[:SHOWN]:
        lines += write_finding(finding, width, indent=4)
    if len(shown) > SHOWN:
        lines.append(f"    … and {len(shown) - SHOWN:,} more (--json lists all)")
    return lines


def _name_some(names: "tuple[str, ...] | list[str]") -> str:
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


class ReadingPace:
    """Says now and then how many records were read, where reading lasts."""

    def __init__(self) -> None:
        self._read = 0
        self._said_at: float | None = None

    def __call__(self, task: str, records: int) -> None:
        """Take some records of a task."""
        self._read += records
        if self._said_at is None:
            self._said_at = time.monotonic()
        if time.monotonic() - self._said_at >= EVERY_SECONDS:
            self._said_at = time.monotonic()
            say(f"{task}: {self._read:,} items read")
