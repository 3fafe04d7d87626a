"""``benchproof show``: a run, or one of its items."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, print_text, say, terminal_width
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references

if TYPE_CHECKING:
    from benchproof.archive import SealedRun


@click.command("show")
@click.argument("run")
@click.option("--item", help="One item: what was asked and answered, such as en/ferry-q1.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write the run's report to this file.")
@expect_option
@archive_option
@json_option
def command(
    run: str, item: str | None, html: Path | None, expect: Path | None, archive: Path | None, as_json: bool
) -> None:
    """Show RUN (an id, its unique beginning, or a path): model, axes, counts; with --item one answer.

    The manifest alone is compared with --expect; `benchproof verify RUN` compares every file with the manifest.
    """
    from benchproof.archive import load_run
    from benchproof.proof import compare_manifest

    root = existing_archive(archive)
    sealed = load_run(root, run)
    compared = compare_manifest(sealed, read_references(expect))
    if html is not None:
        from benchproof.cli.report import write_report

        say(f"report: {write_report(root, run, html)}")
    if item is not None:
        _show_item(sealed, item, as_json=as_json)
    elif as_json:
        print_json({"sha256": sealed.sha256, "compared_with": compared, "manifest": sealed.manifest})
    elif html is None:
        _show_run(sealed, compared)


def _show_item(run: "SealedRun", item: str, *, as_json: bool) -> None:
    from benchproof.proof import describe, find_item, render_item

    trace = find_item(run, item)
    if as_json:
        print_json(describe(trace))
    else:
        print_text(render_item(trace, width=terminal_width()))


def _show_run(run: "SealedRun", compared: int) -> None:
    from benchproof.results import label_model, say_compared

    manifest = run.manifest
    model = manifest["model"]
    bench = manifest["bench"]
    click.echo(f"{run.id}")
    click.echo(f"  manifest    {run.sha256}")
    click.echo(f"  opened      {manifest['created_at']}, sealed {manifest['sealed_at']}")
    known = [bench.get("name", "unknown"), bench.get("bench_version", ""), bench.get("digest", "")[:12]]
    click.echo(f"  bench       {' '.join(word for word in known if word and word != 'unknown') or 'unknown'}")
    click.echo(f"  model       {label_model(model)} ({model['model']}, {model['variant']})")
    click.echo(f"  runtime     {model['runtime']} {model['runtime_version']}, {model['backend']}")
    if "weights_sha256" in model:
        click.echo(f"  weights     {model['weights_sha256']}")
    marks = [word for word in ("partial", "synthetic") if manifest.get(word)]
    if marks:
        click.echo(f"  marks       {', '.join(marks)}")
    for axis in manifest["axes"]:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(axis["counts"].items())) or "none asked"
        planned = axis["items"]["planned"]
        key = f"{axis['axis']}.{axis['language']}"
        click.echo(f"  {key:<11} {counts} of {planned} ({axis['items']['selection']}), {axis['metric']}")
    total = sum(entry["bytes"] for entry in manifest["files"])
    click.echo(f"  files       {len(manifest['files'])}, {total:,} bytes in {run.path}")
    click.echo(f"  {say_compared(compared)}")
