"""``benchproof show``: a run, or one of its items."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, print_lines, print_text, say, terminal_width
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchproof.archive import SealedRun


@click.command("show")
@click.argument("run")
@click.option("--item", metavar="ID", help="One item: what was asked and answered, such as en/ferry-q1.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write the run's report to this file.")
@expect_option
@archive_option
@json_option
def command(
    run: str, item: str | None, html: Path | None, expect: Path | None, archive: Path | None, as_json: bool
) -> None:
    """Show RUN (an id, its unique beginning, @latest, or a path): model, axes, counts; with --item one answer.

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
    from benchproof.results import label_text, say_compared

    width = terminal_width()
    click.echo(run.id)
    for name, text in _list_facts(run):
        print_lines(label_text(name, text, width=width))
    click.echo(f"  {say_compared(compared)}")


def _describe_template(run: "SealedRun") -> str:
    """Which chat template was applied, and to which axes."""
    stated = {
        f"{axis['axis']}.{axis['language']}": axis["setting"].get("chat_template") for axis in run.manifest["axes"]
    }
    applied = {key: str(value) for key, value in stated.items() if value not in (None, "none")}
    if not applied:
        is_unknown = any(value is None for value in stated.values())
        return "unknown" if is_unknown else "none: prompts were sent raw"
    digests = ", ".join(sorted({value[:12] for value in applied.values()}))
    others = "" if len(applied) == len(stated) else "; the others were sent raw"
    return f"{digests} applied on {', '.join(applied)}{others}"


def _list_facts(run: "SealedRun") -> "Iterator[tuple[str, str]]":
    """Labels and facts, in the order in which they are read."""
    from benchproof.results import count_things, describe_context, label_model

    manifest = run.manifest
    model = manifest["model"]
    bench = manifest["bench"]
    yield "manifest", run.sha256
    yield "opened", f"{manifest['created_at']}, sealed {manifest['sealed_at']}"
    stated = [bench.get("name", "unknown"), bench.get("bench_version", ""), bench.get("digest", "")[:12]]
    yield "bench", " ".join(word for word in stated if word and word != "unknown") or "unknown"
    known = dict.fromkeys((label_model(model), model["model"], model["variant"]))
    yield "model", ", ".join(known)
    yield "harness", " ".join(str(manifest["harness"].get(key, "")) for key in ("name", "version")).strip() or "unknown"
    yield "runtime", f"{model['runtime']} {model['runtime_version']}, {model['backend']}"
    yield "context", describe_context(manifest["environment"])
    if "weights_sha256" in model:
        yield "weights", model["weights_sha256"]
    yield "template", _describe_template(run)
    marks = [word for word in ("partial", "synthetic") if manifest.get(word)]
    if "derived_from" in manifest:
        marks.append(f"replay of {manifest['derived_from'].get('run', 'another run')}: no model was asked")
    if marks:
        yield "marks", ", ".join(marks)
    for axis in manifest["axes"]:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(axis["counts"].items())) or "none asked"
        planned = f"{count_things(axis['items']['planned'], 'item')} ({axis['items']['selection']})"
        batching = axis.get("batching")
        how = f"; {batching['method']}, {count_things(batching['threads'], 'thread')}" if batching else ""
        yield f"{axis['axis']}.{axis['language']}", f"{planned}: {counts}; {axis['metric']}{how}"
    total = sum(entry["bytes"] for entry in manifest["files"])
    yield "files", f"{count_things(len(manifest['files']), 'file')}, {total:,} bytes"
    yield "folder", str(run.path)
